"""What scripts/plot and scripts/report have in common.

    reading      a results directory, or record files, as Results
    naming       what runs are called: variant, phase, line of a sweep
    compared     the figures that build/compare computes
    units        numbers, sizes and times as people write them
    canvas       a drawing of one or more panels, and gnuplot to make it
    lines        curves against the directory's size, with names on them
    picture_*    one kind of picture each; pictures has the list of them
    commandline  options and errors
    page, words  the report: HTML, and a conclusion in plain words
    verdict      which layout a cache is to have; verdict_table, _words and
                 _text say it

Python's standard library is all that it takes.
"""
