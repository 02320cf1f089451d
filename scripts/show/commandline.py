"""What the command lines of scripts/plot and scripts/report have in common."""
import getopt
import os
import signal
import sys

from show.reading import Unusable, complain


def refuse(why):
    complain(f"{why}; --help tells what can be said")
    sys.exit(2)


def parse(arguments, usage, short, long):
    """(options, paths), of which there is one at least."""
    try:
        options, paths = getopt.gnu_getopt(arguments, short, long)
    except getopt.GetoptError as error:
        refuse(str(error))
    if any(key in ("-h", "--help") for key, _ in options):
        print(usage, end="")
        sys.exit(0)
    if not paths:
        refuse("name a results directory, or record files")
    return options, paths


def last(options, *keys):
    values = [value for key, value in options if key in keys]
    return values[-1] if values else None


def run(main):
    """Errors are one line each, and an exit code."""
    # so that what is under way is cleared away
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        main(sys.argv[1:])
        sys.stdout.flush()
    except Unusable as why:
        complain(why)
        sys.exit(1)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except OSError as error:
        complain(f"{error.filename or 'output'}: {error.strerror}; choose "
                 "another place with -o, if it is about writing")
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
