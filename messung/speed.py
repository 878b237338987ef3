"""stub"""
def run(*a,**k): raise SystemExit
