"""What the entry modes keep, on its way out of one file and into another.

records   everything that cannot be recomputed, as records
parse     records read back, checked
writing   rows as they are given
load      records into a file that holds none, numbers as they are
merge     records into a file that may hold the same entries, with matching (which is which), additions (tags and the
          like), histories (logs), belongings (sittings, memos, learned questions), erased, report
pages     Markdown, one file a tag
origins   where merged entries came from, and what a number of there is here
"""
