"""Forms: filled in with the keyboard and with the pointer, together with other clients, and continued after the
presenter was killed."""
import os
import subprocess
import time

import screen
from device import Asker, Presenter, gatectl
from kinds import show
from screen import (
    Atspi, WORK, Failure, button, everything, find, has_keyboard, is_ready, keys, labels, middle_of, no_window, picture, pointer, press, text_of, type_text,
    until, windows,
)
from targets import bring, place


def form(*words):
    """A call of another client, and its output."""
    return subprocess.run(gatectl("form", *words), capture_output=True, text=True, check=True).stdout


def answered(name, path, *options):
    return form("get", name, path, *options).strip()


def field(name):
    return until(f"there is a field '{name}'", lambda: find(name, Atspi.Role.TEXT))


def tab_to(name, *roles):
    """With the keyboard alone. A button that unfolds something counts as two widgets."""
    roles = roles or (Atspi.Role.PUSH_BUTTON,)
    nodes = until(f"'{name}' is there", lambda: [node for node in everything() if node.get_name() == name and node.get_role() in roles])
    screen.tab_to(name, lambda: nodes, presses=60)


def click(node):
    """With the pointer. Something outside of the visible part is scrolled into it with the wheel."""
    until(f"'{node.get_name()}' can be pressed", lambda: is_ready(node))
    bring(node)
    pointer("mousemove", *middle_of(node), "click", 1)
    time.sleep(0.2)


def says(text):
    return any(text in label for label in labels())


def page(title):
    until(f"the page '{title}' is there", lambda: title in labels())


def put(name, text):
    """Replaces the text of a field by typing."""
    tab_to(name, Atspi.Role.TEXT)
    keys("ctrl+a")
    type_text(text)
    keys("Return")


def consent():
    """A grown-up consents with the keyboard alone, after another client has filled in a part."""
    asker = Asker("consented")
    until("it can be filled in", lambda: is_ready(button("Next")))
    page("What this is about")
    tab_to("Next")
    keys("space")
    page("1 Who you are")
    show("form-consent")
    tab_to("Your name (required)")
    keys("space")
    until("the name has a page", lambda: find("Given name (required)", Atspi.Role.TEXT))
    put("Given name (required)", "Anna")
    put("Family name (required)", "Meier")
    tab_to("Done")
    keys("space")
    until("the name stands in one line", lambda: "Anna, Meier" in labels())
    put("Date of birth (required)", "yesterday")
    until("a wrong date is said at the field", lambda: says("'yesterday' is no date"))
    if answered("consent", "parent-birth-date"):
        raise Failure("a wrong date has come to the daemon")
    picture("form-wrong")
    put("Date of birth (required)", "1890-01-01")
    until("the daemon's word about a date stands at the field", lambda: says("1910"), 5)
    put("Date of birth (required)", "1979-05-01")
    until("the right date is taken", lambda: answered("consent", "parent-birth-date") == "1979-05-01")
    tab_to("Mother", Atspi.Role.RADIO_BUTTON)
    keys("space")
    until("the choice is taken", lambda: answered("consent", "parent-relation") == "Mother")

    # Another client answers while the person types in another field.
    tab_to("E-mail address, where we confirm your consent (required)", Atspi.Role.TEXT)
    type_text("anna@")
    form("set", "consent", "parent-telephone", "+44 20 7946 0958")
    until("what others answer appears", lambda: find("+44 20 7946 0958", Atspi.Role.TEXT))
    form("set", "consent", "parent-email", "other@example.org")
    until("it says that others have answered", lambda: says("Somebody else has answered meanwhile: other@example.org"))
    typing = field("E-mail address, where we confirm your consent (required)")
    if text_of(typing) != "anna@":
        raise Failure(f"what is being typed was taken away: {text_of(typing)}")
    picture("form-overtaken")
    type_text("example.org")
    keys("Return")
    until("the person's answer stands", lambda: answered("consent", "parent-email") == "anna@example.org")

    for path, answer in [
        ("residence", "eea"), ("child-given-name", "Tim"), ("child-birth-date", "2018-06-01"), ("consent-collection", "consent"),
        ("confirmed", "confirmed"), ("signed-by", "Anna Meier"),
    ]:
        form("set", "consent", path, answer)
    tab_to("Section 2 of 7")
    keys("space")
    until("the sections unfold", lambda: button("Overview"))
    picture("form-sections")
    press("Overview")
    until("the overview is there", lambda: button("Complete"))
    until("it says what is missing", lambda: says("Date: This has to be answered."))
    show("form-overview")
    if is_ready(button("Complete")):
        raise Failure("it can be completed while something is missing")
    form("set", "consent", "signed-on", "2026-11-02")
    until("it says that others have changed it", lambda: says("Somebody else has changed this meanwhile."))
    if is_ready(button("Complete")):
        raise Failure("what others have just changed can be completed at once")
    until("it can be completed", lambda: is_ready(button("Complete")))
    revision = form("drafts")
    tab_to("Complete")
    keys("space")
    asker.ends("a consent by keyboard", 0)
    if "consent" not in revision or "completed" not in form("responses", "consent"):
        raise Failure("the consent is not kept")


def insurance():
    """With the pointer, in German: a choice, a date in the German format, rows that are added and removed, a
    document."""
    Presenter.newest.end()
    Presenter("de_DE.UTF-8")
    until("the presenter is there", Presenter.newest.is_registered)
    asker = Asker("insured")
    until("it can be filled in", lambda: is_ready(button("Weiter")))
    click(field("Geburtsdatum (Pflicht)"))
    type_text("01.05.1979")
    click(button("Weiter"))
    page("2 Ihr Ausweis")
    until("the German date is taken", lambda: answered("motor-insurance", "holder-birth-date") == "1979-05-01")
    number = field("Nummer des Ausweises (Pflicht)")
    if is_ready(number) or not says("Zuerst ausfüllen: Art des Ausweises"):
        raise Failure("a number can be typed before its document is chosen, or nothing says why not")
    click(find("Reisepass", Atspi.Role.RADIO_BUTTON))
    until("then it can", lambda: is_ready(find("Nummer des Ausweises (Pflicht)", Atspi.Role.TEXT)))
    picture("form-parents")
    click(button("Weiter"))
    page("3 Fahrzeug")
    click(field("Hersteller: Etwas anderes:"))
    type_text("Tatra")
    keys("Return")
    until("other words are taken", lambda: answered("motor-insurance", "manufacturer") == "Tatra")
    for title in ["4 Versicherung", "5 Wer fährt"]:
        click(button("Weiter"))
        page(title)
    for given, family in [("Anna", "Meier"), ("Tim", "Meier")]:
        click(button("Hinzufügen … Fahrer (Pflicht)"))
        click(until("there is the page of a driver", lambda: button("Name (Pflicht)")))
        for name, text in [("Nachname (Pflicht)", family), ("Vorname (Pflicht)", given)]:
            click(field(name))
            type_text(text)
        click(button("Fertig"))
        until("the name stands in one line", lambda: f"{family}, {given}" in labels())
        if given == "Anna":
            attach()
        click(button("Fertig"))
        until("the driver stands in a row", lambda: any(label.startswith(f"{family}, {given}") for label in labels()))
    picture("form-table")
    click(button("Entfernen Fahrer 1"))
    until("one is removed", lambda: button("Entfernen Fahrer 2") is None)
    if answered("motor-insurance", "driver[0]/driver-given-name") != "Tim":
        raise Failure("another one was removed")
    click(button("Weiter"))
    page("6 Ihr Antrag")
    click(button("Nicht jetzt"))
    asker.ends("a form that is dismissed, by pointer", 3)
    choosing_in_vain()
    Presenter.newest.end()
    Presenter()
    until("the presenter is there", Presenter.newest.is_registered)


def attach():
    """Attaches a document, with the desktop's own file chooser."""
    path = os.path.join(WORK, "licence.png")
    subprocess.run(["convert", "-size", "600x400", "gradient:red-blue", path], check=True)
    click(until("there is a button for files", lambda: button("Bild des Führerscheins: Datei auswählen …")))
    until("a window for files has the keyboard", lambda: not has_keyboard())
    time.sleep(0.5)
    subprocess.run(["xdotool", "type", "--delay", "60", path], check=True)
    time.sleep(0.5)
    subprocess.run(["xdotool", "key", "Return"], check=True)
    until("the document has a name", lambda: "licence.png" in labels())
    until("the document has a picture", lambda: find("licence.png", Atspi.Role.IMAGE))
    picture("form-document")


def choosing_in_vain():
    """The file chooser is closed together with its form, and the presenter continues."""
    asker = Asker("insured")
    until("it can be filled in", lambda: is_ready(button("Weiter")))
    click(until("the sections can be unfolded", lambda: button("Abschnitt 1 von 6")))
    until("the sections unfold", lambda: button("5 Wer fährt"))
    press("5 Wer fährt")
    page("5 Wer fährt")
    click(button("Bearbeiten Fahrer 1"))
    click(until("there is a button for files", lambda: button("Bild des Führerscheins: Datei auswählen …")))
    until("there is a window for files", choosers)
    asker.process.kill()
    asker.process.wait()
    until("the form goes with its asker", no_window)
    until("the window for files goes with its form", lambda: not choosers())
    if Presenter.newest.process.poll() is not None:
        raise Failure("the presenter has ended with a window for files")
    print("passed: a window for files goes with its form", flush=True)


def choosers():
    return [shown for shown in windows() if shown.get_name().startswith("Datei auswählen")]


def killed_in_the_middle():
    """After a kill another presenter continues with the answers. Escape discards text that was not sent, and nothing
    is lost."""
    asker = Asker("profiled")
    until("it can be filled in", lambda: is_ready(button("Next")))
    first = Presenter.newest
    # There is one presenter for each session and socket. Another path counts as another socket.
    path = os.path.join(WORK, "same.sock")
    os.symlink(os.environ["GATE_SOCKET"], path)
    Presenter(GATE_SOCKET=path)
    until("there are two presenters", lambda: '"presenters":2' in subprocess.run(
        gatectl("statistics", "--json"), capture_output=True, text=True, check=True).stdout.replace(" ", ""))
    put("Your birthday (required)", "2018-06-01")
    until("it is taken", lambda: answered("child-profile", "birth-date") == "2018-06-01")
    first.process.kill()
    first.process.wait()
    until("the next presenter shows the answer", lambda: find("2018-06-01", Atspi.Role.TEXT))
    until("it can be filled in", lambda: is_ready(button("Next")))
    press("Your name (required)")
    tab_to("What we call you, if it is something else", Atspi.Role.TEXT)
    type_text("Timmy")
    keys("Escape")
    asker.ends("a form that is dismissed by Escape, after its presenter was killed", 3)
    if answered("child-profile", "nickname") != "Timmy":
        raise Failure("what was typed last is lost")
    asker = Asker("profiled")
    until("it is there again", lambda: find("2018-06-01", Atspi.Role.TEXT))
    number = form("drafts")
    subprocess.run(gatectl("form", "discard", "child-profile"), check=True, capture_output=True)
    asker.process.kill()
    asker.process.wait()
    until("the window goes with its asker", no_window)
    if "child-profile" not in number:
        raise Failure("there was no draft")
    print("passed: a form goes with its asker", flush=True)
    # After a form that was closed by itself, the next question would take two steps.
    Presenter.newest.end()
    Presenter()
    until("the presenter is there", Presenter.newest.is_registered)


PLATE = """
resourceType: Questionnaire
id: plate
status: active
title: A car
item:
  - linkId: plate
    type: string
    text: Registration number
    extension: [{url: "https://gate.example/fhir/StructureDefinition/mask", valueString: AA 999 AA}]
  - linkId: keeper
    type: group
    text: Keeper
    extension: [{url: "https://gate.example/fhir/StructureDefinition/one-line", valueBoolean: true}]
    item:
      - {linkId: keeper-name, type: string, text: Name}
      - {linkId: keeper-street, type: string, text: Street}
      - {linkId: keeper-cars, type: integer, text: Cars}
  - {linkId: remarks, type: string, text: Remarks}
"""


def mask_and_line():
    """When a field is left, its mask is completed. A group of three questions is one line with a page behind it."""
    with open(os.path.join(WORK, "config", "questionnaires.d", "plate.yaml"), "w", encoding="utf-8") as file:
        file.write(PLATE)
    subprocess.run(gatectl("reload"), check=True, capture_output=True)
    asker = Asker.of("form", "request", "plate")
    until("it can be filled in", lambda: is_ready(button("Next")))
    if not says("written like AA 999 AA"):
        raise Failure("nothing says how the number is written")
    click(field("Registration number"))
    type_text("ab123cd")
    if text_of(field("Registration number")) != "ab123cd":
        raise Failure("something moves while it is typed")
    keys("Tab")
    until("the field has the whole text", lambda: text_of(field("Registration number")) == "AB 123 CD")
    until("it is kept", lambda: answered("plate", "plate") == "AB 123 CD")
    # The same text again, typed in another way, gives the same answer.
    put("Registration number", "ab 123-cd")
    until("the field has the whole text again", lambda: text_of(field("Registration number")) == "AB 123 CD")
    put("Registration number", "ab12")
    until("it says how to write it", lambda: says("Write it like AA 999 AA."))
    if text_of(field("Registration number")) != "ab12" or answered("plate", "plate") != "AB 123 CD":
        raise Failure("what does not fit is lost, or kept")
    put("Registration number", "xy123cd")
    until("it is mended", lambda: answered("plate", "plate") == "XY 123 CD")
    click(button("Keeper"))
    page("Keeper")
    for name, text in [("Name", "Anna Schmidt"), ("Street", "12 Main St"), ("Cars", "2")]:
        click(field(name))
        type_text(text)
    picture("form-line-page")
    click(button("Done"))
    until("its answers are in one line", lambda: "Anna Schmidt, 12 Main St, Cars: 2" in labels())
    picture("form-line")
    click(button("Next"))
    page("Overview")
    until("the overview has the line, too", lambda: says("Keeper: Anna Schmidt, 12 Main St, Cars: 2"))
    picture("form-line-overview")
    if "Keeper: Anna Schmidt, 12 Main St, Cars: 2  [keeper]" not in form("get", "plate"):
        raise Failure("form get has no such line")
    click(button("Not now"))
    asker.ends("a form with a mask and a line", 3)


ENGINE = """
resourceType: Questionnaire
id: engine
url: https://example.org/engine
status: active
title: An engine
item:
  - {linkId: model, type: string, text: Model}
  - {linkId: power, type: string, text: Engine power}
  - {linkId: seats, type: string, text: Seats}
"""


def suggested():
    """A suggested value stands beside the field, and does not change the field."""
    with open(os.path.join(WORK, "config", "questionnaires.d", "engine.yaml"), "w", encoding="utf-8") as file:
        file.write(ENGINE)
    subprocess.run(gatectl("reload"), check=True, capture_output=True)
    asker = Asker.of("form", "request", "engine")
    until("it can be filled in", lambda: is_ready(button("Next")))
    before = [place(field(name)).y for name in ("Engine power", "Seats")]

    def nothing_moves(when):
        if [place(field(name)).y for name in ("Engine power", "Seats")] != before:
            raise Failure(f"the page moves {when}")

    server = subprocess.Popen(gatectl("form", "suggest", "engine", "power", "--pending", "1m"), stdout=subprocess.DEVNULL)
    until("the field says that its value is looked up", lambda: says("being looked up"))
    picture("form-looked-up")
    nothing_moves("while a value is looked up")
    # It arrives while the keyboard is in the empty field, so it is shown beside it.
    click(field("Engine power"))
    form("suggest", "engine", "power", "75 kW")
    use = until("it stands beside the field", lambda: button("Use 75 kW Engine power"))
    if server.wait(10) != 0 or says("being looked up"):
        raise Failure("it is still being looked up")
    if text_of(field("Engine power")) != "":
        raise Failure("it came under the cursor")
    picture("form-held")
    nothing_moves("when the value stands beside the field")
    # When the field is left empty, the suggestion fills it in.
    keys("Tab")
    until("the field has it", lambda: text_of(field("Engine power")) == "75 kW" and button("Use 75 kW Engine power") is None)
    # What the person enters is used, and the suggestion waits beside it.
    put("Engine power", "80 kW")
    until("the entry is taken", lambda: answered("engine", "power") == "80 kW")
    use = until("the suggestion waits", lambda: button("Use 75 kW Engine power"))
    picture("form-suggested")
    click(use)
    until("it is taken", lambda: answered("engine", "power") == "75 kW" and text_of(field("Engine power")) == "75 kW")
    # Another client answers the question in which the person is typing.
    click(field("Seats"))
    type_text("4")
    form("set", "engine", "seats", "5")
    until("the field says so", lambda: says("Somebody else has answered meanwhile: 5"))
    if text_of(field("Seats")) != "4":
        raise Failure("what was typed is gone")
    keys("Tab")
    until("the entry is taken", lambda: answered("engine", "seats") == "4")
    click(button("Not now"))
    asker.ends("a form with a suggestion", 3)


FORMS = [consent, insurance, mask_and_line, suggested, killed_in_the_middle]
