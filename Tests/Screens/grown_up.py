"""A grown-up's seat: reads the windows of gate-settings there, presses buttons and fills in fields, as lines of JSON
tell it. Like seat.py, it runs as the user whose seat it is."""
import pages
import seat


class Orders(seat.Orders):
    """What the seat can be told to do. Each function returns what is shown then."""

    def says(self, *patterns):
        for pattern in patterns:
            pages.says(pattern)

    def press(self, *names):
        for name in names:
            pages.press(name)

    def write(self, name, text):
        pages.write(name, text)

    def type_secret(self, name, text):
        pages.type_secret(name, text)

    def go_to(self, page):
        pages.go_to(page)

    def unfold(self, label):
        pages.unfold(label)

    def texts(self):
        """Everything that can be read in the newest window, a line for each label."""
        return "\n".join(pages.texts())


if __name__ == "__main__":
    pages.look_here()
    seat.main(Orders())
