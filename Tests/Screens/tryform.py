import sys, time, os
from device import Asker, Presenter, gatectl
from screen import *
LOC=os.environ.get("TRY_LOCALE","C.UTF-8")
def main():
    Presenter(LOC, **({"ADW_DEBUG_COLOR_SCHEME":"prefer-dark"} if os.environ.get("TRY_DARK") else {}))
    until("there", Presenter.newest.is_registered)
    for action, pages in [("insured",7),("consented",7),("profiled",6)]:
        a=Asker(action)
        until("window", lambda: not no_window())
        time.sleep(1.6)
        for i in range(pages+1):
            picture(f"{action}-{i}")
            if i in (0,1): print(tree_text())
            names=[n for n in everything() if n.get_role()==Atspi.Role.PUSH_BUTTON and n.get_name() in("Next","Weiter","Далее","下一步")]
            if not names: break
            Atspi.Action.do_action(names[0].get_action_iface(),0); time.sleep(0.6)
        a.process.kill(); a.process.wait()
        until("gone", no_window)
        Presenter.newest.end(); Presenter(LOC); until("there", Presenter.newest.is_registered)
    Presenter.newest.end()
main()
