"""Loads the guard of vitest-cassette, and then the sitecustomize that is next on sys.path, as if this one were not there."""
import os
import sys

try:
    import vitest_cassette_guard  # noqa: F401
except Exception as error:
    sys.stderr.write("[vitest-cassette] the guard of this Python program failed: %r\n" % error)
here = os.path.dirname(os.path.abspath(__file__))
sys.path[:] = [one for one in sys.path if os.path.abspath(one) != here]
sys.modules.pop("sitecustomize", None)
import sitecustomize  # noqa: E402, F401
