"""What a notebook keeps, on its way out of one file and into another.

records   everything that cannot be recomputed, as records
rows      the same as values, from records or from a file
parse     records read back, checked
writing   rows as they are given
load      records into a file that holds none, numbers as they are
merge     records into a file that may hold the same series, with units (which event is which), plan (what is added
          under which number), standing (status, start, successor), report
pages     Markdown, one file a series
"""
