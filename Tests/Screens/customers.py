"""An agent with several customers, in windows: to whom a form belongs, and what the customer said before."""
import json
import os
import re
import subprocess

from device import LANGUAGES, Asker, Presenter, gatectl, kill_daemon, start_daemon
from forms import answered, click, field, form, page, put, says, tab_to
from kinds import show
from looks import fits, wear
from screen import (
    WORK, Atspi, Failure, button, everything, find, is_ready, keys, labels, picture, press, said, said_as, until,
)


def new_form(name, text):
    """Puts a further form in force."""
    with open(os.path.join(WORK, "config", "questionnaires.d", f"{name}.yaml"), "w", encoding="utf-8") as file:
        file.write(text)
    subprocess.run(gatectl("reload"), check=True, capture_output=True)


def drafts(name):
    """The drafts by label, each with its number and its revision."""
    listed = json.loads(form("drafts", name, "--json")).get("drafts", [])
    return {draft.get("label", ""): (draft.get("draftId", "0"), draft["revision"]) for draft in listed}


def customers():
    """An agent has several customers at once. The first page asks with which to continue, and what is typed then
    belongs to that one."""
    form("open", "motor-insurance")
    form("set", "motor-insurance", "holder-birth-date", "1970-01-01")
    opened = json.loads(form("open", "motor-insurance", "--new", "--label", "Anna, Golf", "--json"))
    number = opened["draft"]["summary"]["draftId"]
    form("set", "motor-insurance", "holder-birth-date", "1979-05-01", "--draft", number)
    form("set", "motor-insurance", "holder-family-name", "Roth", "--draft", number)
    kept = form("save", "motor-insurance", "--draft", number)
    asker = Asker("insured")
    ways = ["Start a new one", "Continue with Anna, Golf (today)", "Continue with draft 0 (today)", "Start from Anna, Golf (today)"]
    for way in ways:
        until(f"there is a button '{way}'", lambda: is_ready(button(way)))
    show("form-begin", *[re.escape(way) for way in ways])
    tab_to(ways[1])
    keys("space")
    until("her draft stands there", lambda: find("1979-05-01", Atspi.Role.TEXT))
    put("Date of birth (required)", "1980-02-02")
    until("what is typed is hers", lambda: answered("motor-insurance", "holder-birth-date", "--draft", number) == "1980-02-02")
    if answered("motor-insurance", "holder-birth-date") != "1970-01-01":
        raise Failure("what was typed for one customer is another one's")
    press("Not now")
    asker.ends("a form that is gone on with for one of several customers", 3)

    asker = Asker("insured")
    until("the ways to begin are there", lambda: is_ready(button(ways[3])))
    click(button(ways[3]))
    until("what was said before stands there", lambda: find("1979-05-01", Atspi.Role.TEXT))
    drafts = json.loads(form("drafts", "motor-insurance", "--json"))["drafts"]
    if len(drafts) != 3 or drafts[2]["label"] != "Roth":
        raise Failure(f"it is no new draft: {drafts}")
    press("Not now")
    asker.ends("a form that begins with what was said before", 3)
    for draft in drafts:
        form("discard", "motor-insurance", "--draft", draft["draftId"])
    form("withdraw", re.search(r"response (\d+)", kept).group(1))


FOUR = """
resourceType: Questionnaire
id: four-customers
url: https://gate.example/fhir/Questionnaire/four-customers
status: active
title: An insurance
extension:
  - {url: "https://gate.example/fhir/StructureDefinition/label", valueString: holder}
  - {url: "https://gate.example/fhir/StructureDefinition/label", valueString: model}
item:
  - {linkId: holder, type: string, text: Name, required: true}
  - {linkId: city, type: string, text: City, required: true}
  - {linkId: model, type: string, text: Vehicle, required: true}
"""


def called(way=None):
    """A customer calls, and the agent begins like this, with the keyboard alone."""
    asker = Asker.of("form", "request", "four-customers")
    if way:
        until(f"there is a button '{way}'", lambda: is_ready(button(way)))
        tab_to(way)
        keys("space")
    until("the form is there", lambda: is_ready(find("Name (required)", Atspi.Role.TEXT)))
    return asker


def hung_up(asker, what):
    press("Not now")
    asker.ends(what, 3)


def four_customers():
    """Tests/Scripts/52-four-customers.txt in windows: the drafts are begun one after the other, and later found by
    name."""
    # A session ends with the daemon, and the drafts of its account could not be reached then.
    subprocess.run(gatectl("logout"), check=True, capture_output=True)
    new_form("four-customers", FOUR)
    new, polo, golf = "Start a new one", "Continue with Anna Blum, Polo (today)", "Continue with Ben Roth, Golf (today)"
    for way, name, model in ((None, "Anna Blum", "Polo"), (new, "Ben Roth", "Golf"), (new, "Carla Vogt", ""), (new, "Dora Lind", "Twingo")):
        asker = called(way)
        put("Name (required)", name)
        if model:
            put("Vehicle (required)", model)
        hung_up(asker, f"a form that is begun for {name}")
    before = drafts("four-customers")
    if set(before) != {"Anna Blum, Polo", "Ben Roth, Golf", "Carla Vogt", "Dora Lind, Twingo"}:
        raise Failure(f"these are not the drafts of four customers: {before}")

    # The daemon is restarted, and every draft is unchanged.
    kill_daemon()
    Presenter.newest.process.kill()
    Presenter.newest.process.wait()
    start_daemon()
    until("the daemon is there", lambda: subprocess.run(gatectl("ping"), capture_output=True, check=False).returncode == 0)
    Presenter()
    until("the presenter is there", Presenter.newest.is_registered)
    if drafts("four-customers") != before:
        raise Failure(f"the drafts are others after a restart: {before}, {drafts('four-customers')}")

    # Ben calls again, and tells his address.
    asker = Asker.of("form", "request", "four-customers")
    ways = [new, "Continue with Dora Lind, Twingo (today)", "Continue with Carla Vogt (today)", golf, polo]
    for way in ways:
        until(f"there is a button '{way}'", lambda: is_ready(button(way)))
    there = [node.get_name() for node in everything() if node.get_role() == Atspi.Role.PUSH_BUTTON and node.get_name() in ways]
    if there != ways:
        raise Failure(f"the drafts are not in the order in which they were worked on: {there}")
    picture("form-customers")
    tab_to(golf)
    keys("space")
    until("his draft stands there", lambda: find("Golf", Atspi.Role.TEXT))
    put("City (required)", "Bonn")
    completes(asker, "Ben Roth", "the form of one of four customers")
    stays = {label: known for label, known in before.items() if label != "Ben Roth, Golf"}
    if drafts("four-customers") != stays:
        raise Failure(f"the others' drafts are others now: {stays}, {drafts('four-customers')}")

    # Dora lives with Ben and now has the same car, so her draft begins with his answers. Then her name is entered.
    asker = called("Start from Ben Roth, Golf (today)")
    until("what he said stands there", lambda: find("Bonn", Atspi.Role.TEXT) and find("Golf", Atspi.Role.TEXT))
    put("Name (required)", "Dora Lind")
    until("it is hers", lambda: "Dora Lind, Golf" in drafts("four-customers"))
    completes(asker, "Dora Lind", "a form that began with what another customer said")
    if drafts("four-customers") != stays:
        raise Failure(f"the others' drafts are others now: {stays}, {drafts('four-customers')}")
    kept = json.loads(form("responses", "four-customers", "--json"))["responses"]
    if [response["label"] for response in kept] != ["Ben Roth, Golf", "Dora Lind, Golf"]:
        raise Failure(f"these responses are kept: {kept}")

    # A program that names no draft gets the first one, as before.
    for number, _ in stays.values():
        form("discard", "four-customers", "--draft", number)
    for response in kept:
        form("withdraw", response["id"])


def completes(asker, name, what):
    """Reads the overview, and completes the form that is shown."""
    tab_to("Next")
    keys("space")
    until("the overview has the name", lambda: says(f"Name: {name}"))
    until("it can be completed", lambda: is_ready(button("Complete")))
    tab_to("Complete")
    keys("space")
    asker.ends(what, 0)


HOUSEHOLD = """
resourceType: Questionnaire
id: household
status: active
title: An insurance
item:
  - linkId: holder
    type: group
    text: Who is insured
    definition: https://gate.example/parts/person
    item:
      - {linkId: given, type: string, text: Given name, definition: "https://gate.example/parts/person#given"}
      - {linkId: family, type: string, text: Family name, definition: "https://gate.example/parts/person#family"}
      - linkId: home
        type: group
        text: Address
        definition: https://gate.example/parts/address
        item:
          - {linkId: city, type: string, text: City}
          - {linkId: street, type: string, text: Street}
  - linkId: drivers
    type: group
    text: Who drives
    item:
      - linkId: driver
        type: group
        text: Driver
        repeats: true
        definition: https://gate.example/parts/driver
        item:
          - {linkId: driver-name, type: string, text: Name}
          - {linkId: accidents, type: integer, text: Accidents}
"""

CLUB = """
resourceType: Questionnaire
id: club
status: active
title: A club
item:
  - linkId: member
    type: group
    text: Member
    definition: https://gate.example/parts/person
    item:
      - {linkId: first-name, type: string, text: First name, definition: "https://gate.example/parts/person#given"}
      - {linkId: last-name, type: string, text: Last name, definition: "https://gate.example/parts/person#family", maxLength: 5}
  - linkId: club-address
    type: group
    text: Where to write
    definition: https://gate.example/parts/address
    item:
      - {linkId: city, type: string, text: City}
      - {linkId: street, type: string, text: Street}
"""

BEFORE = "Use earlier answers…"


def choosing(name, *words):
    """Checks that the page of parts for this item is shown, and offers these."""
    until("there is what was answered before", lambda: "What was answered before" in labels() and is_ready(button("Back")))
    page(name)
    roles = (Atspi.Role.RADIO_BUTTON, Atspi.Role.CHECK_BOX)
    there = [node.get_name() for node in everything() if node.get_role() in roles]
    if there != list(words):
        raise Failure(f"these can be chosen from: {there}")


def parts():
    """Answers of one form are used in another: a person with the keyboard, a list of drivers with the pointer."""
    new_form("household", HOUSEHOLD)
    new_form("club", CLUB)
    asker = Asker.of("form", "request", "household")
    until("it can be filled in", lambda: is_ready(field("Given name")))
    if button(f"{BEFORE} Who is insured"):
        raise Failure("something is offered before anything was answered")
    press("Not now")
    asker.ends("a form for which nothing was answered before", 3)
    for given, family, city, names in (("Anna", "Schmidt", "Bonn", ["Anna", "Tim"]), ("Ben", "Roth", "Rome", ["Zoe"])):
        form("open", "household")
        for path, answer in [("given", given), ("family", family), ("city", city), ("street", "Am Ring")]:
            form("set", "household", path, answer)
        for index, name in enumerate(names):
            form("set", "household", f"driver[{index}]/driver-name", name)
        form("complete", "household")

    asker = Asker.of("form", "request", "club")
    until("it can be filled in", lambda: is_ready(field("First name")))
    picture("form-parts-offered")
    tab_to(f"{BEFORE} Member")
    keys("space")
    choosing("Member", "Ben, Roth, Rome", "Anna, Schmidt, Bonn")
    if is_ready(button("Use")):
        raise Failure("nothing is chosen, and it can be used")
    picture("form-parts")
    tab_to("Back")
    keys("space")
    tab_to(f"{BEFORE} Member")
    keys("space")
    choosing("Member", "Ben, Roth, Rome", "Anna, Schmidt, Bonn")
    tab_to("Ben, Roth, Rome", Atspi.Role.RADIO_BUTTON)
    keys("space", "Down")
    until("the other one is chosen", lambda: is_ready(button("Use")) and find("Anna, Schmidt, Bonn", Atspi.Role.RADIO_BUTTON).get_state_set().contains(
        Atspi.StateType.CHECKED))
    tab_to("Use")
    keys("space")
    until("the person is taken", lambda: find("Anna", Atspi.Role.TEXT) and answered("club", "first-name") == "Anna")
    until("it says what does not fit", lambda: says("Not copied, or cleared:") and says("Last name"))
    picture("form-parts-taken")
    put("Last name", "Smith")
    # The wrong part was chosen. This can be undone, and the page says what is removed.
    tab_to(f"{BEFORE} Member")
    keys("space")
    choosing("Member", "Ben, Roth, Rome", "Anna, Schmidt, Bonn")
    if not says("It replaces your answers here."):
        raise Failure("it does not say that answers go")
    tab_to("Ben, Roth, Rome", Atspi.Role.RADIO_BUTTON)
    keys("space")
    tab_to("Use")
    keys("space")
    until("the other person is taken", lambda: answered("club", "first-name") == "Ben" and answered("club", "last-name") == "Roth")
    press("Not now")
    asker.ends("a form that takes a person from another one, by keyboard", 3)
    a_list_of_parts()
    parts_in_each_language()
    form("discard", "club")


def a_list_of_parts():
    """With the pointer: all drivers at once, then one in place of another, and one that was just removed."""
    asker = Asker.of("form", "request", "household")
    new = until("it asks how to begin", lambda: button("Start a new one"))
    click(new)
    until("it can be filled in", lambda: is_ready(field("Given name")))
    click(button(f"{BEFORE} Address"))
    choosing("Address", "Rome, Am Ring", "Bonn, Am Ring")
    click(find("Bonn, Am Ring", Atspi.Role.RADIO_BUTTON))
    click(button("Use"))
    number = max(json.loads(form("drafts", "household", "--json"))["drafts"], key=lambda draft: int(draft["revision"])).get("draftId", "0")
    until("the address is taken", lambda: answered("household", "city", "--draft", number) == "Bonn")
    click(button("Next"))
    page("Who drives")
    click(until("drivers are offered", lambda: button(f"{BEFORE} Driver")))
    choosing("Driver", "All of them", "Zoe", "Tim", "Anna")
    click(find("All of them", Atspi.Role.CHECK_BOX))
    click(find("Zoe", Atspi.Role.CHECK_BOX))
    picture("form-parts-list")
    click(button("Use"))
    until("two drivers stand in rows", lambda: {"Driver 1", "Driver 2"} <= set(labels()) and "Driver 3" not in labels())
    names = [answered("household", f"driver[{index}]/driver-name", "--draft", number) for index in range(2)]
    if names != ["Tim", "Anna"]:
        raise Failure(f"these drivers were taken: {names}")
    picture("form-parts-rows")
    click(button("Edit Driver 2"))
    click(until("a driver is offered here, too", lambda: button(f"{BEFORE} Driver 2")))
    choosing("Driver 2", "Zoe", "Tim", "Anna")
    click(find("Zoe", Atspi.Role.RADIO_BUTTON))
    click(button("Use"))
    until("she takes the other's place", lambda: answered("household", "driver[1]/driver-name", "--draft", number) == "Zoe")
    click(until("its page is there again", lambda: button("Done")))
    # Another client removes a part that is about to be taken.
    click(until("drivers are offered", lambda: button(f"{BEFORE} Driver")))
    choosing("Driver", "All of them", "Zoe", "Tim", "Anna")
    click(find("Tim", Atspi.Role.CHECK_BOX))
    listed = json.loads(form("parts", "list", "--definition", "https://gate.example/parts/driver", "--json"))["parts"]
    form("parts", "remove", next(part["id"] for part in listed if part["label"] == "Tim"))
    click(button("Use"))
    until("it says that there is no such part", lambda: says("There is no part"))
    until("it is offered no longer", lambda: find("Tim", Atspi.Role.CHECK_BOX) is None)
    choosing("Driver", "All of them", "Zoe", "Anna")
    press("Not now")
    asker.ends("a form that takes a list of parts, by pointer", 3)
    form("discard", "household", "--draft", number)


def parts_in_each_language():
    """Nothing of the page is cut off, and every control is as large as a finger."""
    people = json.loads(form("parts", "list", "--definition", "https://gate.example/parts/person", "--json"))["parts"]
    form("parts", "rename", people[0]["id"], "Anna Schmidt, who moved from the Ring in Bonn to the harbour " * 3)
    for language, locale in LANGUAGES.items():
        Presenter.newest.end()
        Presenter(locale)
        until("the presenter is there", Presenter.newest.is_registered)
        page_of_parts_fits(language)
    for look in ("right-to-left", "200-percent", "as ever"):
        wear(look)
        page_of_parts_fits(look)


def page_of_parts_fits(look):
    asker = Asker.of("form", "request", "club")
    click(until("a member is offered", lambda: button(f"{said(BEFORE)} Member")))
    back = said_as("Back", "to the step before")
    until("there is what was answered before", lambda: said("What was answered before") in labels() and is_ready(button(back)))
    picture(f"form-parts-{look}")
    # Two people, the sections, the way back, and "Not now".
    fits(f"{look}, parts", 5)
    press("Not now")
    asker.ends(f"parts, {look}", 3)


CUSTOMERS = [customers, four_customers, parts]
