"""One user's seat: reads the windows of gate-presenter there, and presses buttons, as lines of JSON tell it. It runs
as that user, since an accessibility bus serves only its own user."""
import json
import subprocess
import sys

from screen import Atspi, Failure, everything, find, is_ready, labels, look_at, pointer, press, question, tree_text, until


def has(words):
    return question() is not None and words in labels()


class Orders:
    """What a seat can be told to do. Each function returns what is shown then."""

    def look_at(self, program):
        """From now on at the windows of another program, by its name on the accessibility bus."""
        look_at(program, "")

    def wait_for(self, words):
        until(f"'{words}' stands there", lambda: has(words))

    def wait_for_nothing(self):
        until("the question goes", lambda: question() is None)

    def wait_for_text(self, words):
        """In any window."""
        until(f"'{words}' stands in a window", lambda: words in tree_text())

    def press(self, *names):
        for name in names:
            press(name)

    def press_last(self, name):
        """The last one of several with this name, like the button in a window's title bar."""
        def last():
            return next((node for node in reversed(list(everything())) if node.get_role() == Atspi.Role.PUSH_BUTTON and node.get_name() == name), None)
        until(f"'{name}' can be pressed", lambda: is_ready(last()))
        Atspi.Action.do_action(last().get_action_iface(), 0)

    def click(self, name):
        """With the pointer of an X server, for what no screen reader can press."""
        node = until(f"'{name}' is there", lambda: find(name))
        extents = Atspi.Component.get_extents(node.get_component_iface(), Atspi.CoordType.SCREEN)
        pointer("mousemove", extents.x + extents.width // 2, extents.y + extents.height // 2, "click", 1)

    def type(self, text):
        """Types on the screen's keyboard."""
        for character in text:
            if character.isupper():
                press("Shift")
            press("Space" if character == " " else character)

    def smallest_key(self):
        """The smallest size of a key of the keyboard."""
        sizes = []
        for node in everything():
            if node.get_role() == Atspi.Role.PUSH_BUTTON and len(node.get_name() or "") == 1:
                extents = Atspi.Component.get_extents(node.get_component_iface(), Atspi.CoordType.WINDOW)
                sizes.append(min(extents.width, extents.height))
        return min(sizes)

    def has_secret_field(self):
        return any(node.get_role() in (Atspi.Role.TEXT, Atspi.Role.PASSWORD_TEXT) for node in everything())

    def tree(self):
        return tree_text()

    def run(self, *words):
        """Runs a program as this user. Returns its exit status and its output."""
        ended = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
        return [ended.returncode, ended.stdout]


def main(orders):
    for line in sys.stdin:
        order, *words = json.loads(line)
        try:
            answer = {"is": getattr(orders, order)(*words)}
        except Failure as failure:
            answer = {"failed": str(failure)}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main(Orders())
