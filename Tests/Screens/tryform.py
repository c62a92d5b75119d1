import sys, time, os
from device import Asker, Presenter, gatectl
from screen import *
import forms
def main():
    Presenter()
    until("there", Presenter.newest.is_registered)
    only=os.environ.get("ONLY")
    try:
        for f in forms.FORMS:
            if only and f.__name__ not in only.split(","): continue
            t=time.time(); f(); print(f.__name__, time.time()-t)
    except Failure as e:
        print("FAILED", e); print(tree_text()); picture("failed"); return 1
    finally:
        Presenter.newest.process.terminate()
sys.exit(main())
