"""The size of what a finger has to hit, and whether all of it is on the screen."""
import time

from screen import Atspi, everything, is_ready, middle_of, pointer, window

# In pixels.
FINGER = 44
TEXTS = {Atspi.Role.TEXT, Atspi.Role.ENTRY, Atspi.Role.PASSWORD_TEXT}
PRESSED = {
    Atspi.Role.PUSH_BUTTON, Atspi.Role.TOGGLE_BUTTON, Atspi.Role.CHECK_BOX, Atspi.Role.RADIO_BUTTON, Atspi.Role.SPIN_BUTTON, Atspi.Role.COMBO_BOX,
    Atspi.Role.LIST_ITEM, Atspi.Role.LINK,
}
HEADER = 48


def place(node):
    return Atspi.Component.get_extents(node.get_component_iface(), Atspi.CoordType.WINDOW)


def middle(there):
    return there.x + there.width // 2, there.y + there.height // 2


def is_within(node, outer):
    while node is not None and node != outer:
        node = node.get_parent()
    return node is not None


def leads_to(node, x, y):
    """Whether a finger at this place of the window hits the node, or something in it."""
    hit = Atspi.Component.get_accessible_at_point(window().get_component_iface(), x, y, Atspi.CoordType.WINDOW)
    return is_within(hit, node)


def is_large_enough(node):
    """GTK reports the inner size of a control, without its padding, which can be pressed, too."""
    there = place(node)
    x, y = middle(there)

    def reaches(across, down):
        # It is not known which of the two pixels in the middle it was.
        ends = [(1 - FINGER // 2, FINGER // 2), (-FINGER // 2, FINGER // 2 - 1)]
        return any(all(leads_to(node, x + across * end, y + down * end) for end in pair) for pair in ends)

    return (there.height >= FINGER or reaches(0, 1)) and (there.width >= FINGER or reaches(1, 0))


def panes_of(node):
    """The scrolled areas around the node, the innermost first."""
    while node is not None:
        if node.get_role() == Atspi.Role.SCROLL_PANE:
            yield node
        node = node.get_parent()


def where_it_stays(node):
    """The node's place, once scrolling has ended."""
    there = place(node)
    while True:
        time.sleep(0.06)
        before, there = there, place(node)
        if (there.x, there.y) == (before.x, before.y):
            return there


def bring(node):
    """Scrolls a node into view with the wheel."""
    for pane in panes_of(node):
        inside = place(pane)
        # At the edge of a scrolled area there is no inner one.
        edge = (*middle_of(pane)[:2], inside.x + 6, inside.y + inside.height // 2)
        there = place(node)
        for _ in range(60):
            _, y = middle(there)
            over = min(there.y, y - FINGER // 2) - inside.y
            under = inside.y + inside.height - max(there.y + there.height, y + FINGER // 2)
            if min(over, under) >= 0:
                break
            pointer("mousemove", *edge, "click", 4 if over < 0 else 5)
            there = where_it_stays(node)


def controls():
    """All controls that can be pressed or typed into now, except in the window's title bar."""
    return [node for node in everything()
            if node.get_role() in PRESSED | TEXTS and is_ready(node) and place(node).y + place(node).height > HEADER]
