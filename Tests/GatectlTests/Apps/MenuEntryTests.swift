import GateModel
import Testing

@testable import gatectl

@Suite("Reading and rewriting menu entries (X-04)")
struct MenuEntryTests {
    private static let text = """
        # A game
        [Desktop Entry]
        Type=Application
        Name=Chess
        Name[de]=Schach
        Name[zh_CN]=国际象棋
        Name[sr@latin]=Šah
        Comment=Play\\schess
        Exec = "/usr/games/my chess" --file=%f --url %U 100%% "a\\\\"b"
        TryExec=chess
        Icon=chess
        Path=/usr/share/chess
        Terminal=true
        DBusActivatable=true
        OnlyShowIn=GNOME;KDE;

        [Desktop Action new]
        Name=New
        Exec=chess --new
        """
    private static let entry = MenuEntry(path: "games/Chess.desktop", text: text)

    @Test("an entry has an id by its path, a title in each language, and what its program needs")
    func read() {
        let entry = Self.entry
        #expect(entry.id == "games-Chess")
        #expect(entry.name == "games-chess")
        #expect(entry.title.text == "Chess")
        #expect(entry.title.text(for: ["de-CH"]) == "Schach")
        #expect(entry.title.text(for: ["zh-CN"]) == "国际象棋")
        #expect(entry.title.text(for: ["sr-Latn"]) == "Šah")
        #expect(entry.title.text(for: ["ru"]) == "Chess")
        #expect(entry.icon == "chess")
        #expect(entry.tryExec == "chess")
        #expect(entry.folder == "/usr/share/chess")
        #expect(entry.isForTerminal)
        #expect(entry.isApplication)
        #expect(entry.exec?.words == ["/usr/games/my chess", "--url", "100%", "a\"b"])
    }

    @Test("who is shown an entry: everybody but those whose desktop is not named, if it is not hidden")
    func shown() {
        #expect(Self.entry.isShown(on: []))
        #expect(Self.entry.isShown(on: ["ubuntu", "GNOME"]))
        #expect(!Self.entry.isShown(on: ["XFCE"]))
        func shown(_ line: String, on desktops: [String] = ["XFCE"]) -> Bool {
            MenuEntry(path: "a.desktop", text: "[Desktop Entry]\nType=Application\n\(line)").isShown(on: desktops)
        }
        #expect(shown("Name=A"))
        #expect(!shown("NoDisplay=true"))
        #expect(!shown("Hidden=true"))
        #expect(!shown("NotShowIn=XFCE;"))
        #expect(shown("NotShowIn=KDE"))
        #expect(!MenuEntry(path: "a.desktop", text: "[Desktop Entry]\nType=Link").isShown(on: []))
    }

    @Test("through Gate, every program of the entry is Gate's, and the rest stays as it is")
    func rewritten() {
        let entry = MenuEntry(path: "chess.desktop", text: Self.entry.throughGate("chess"))
        #expect(entry.gateApp == "chess")
        #expect(entry.exec?.words == ["gatectl", "apps", "run", "chess"])
        #expect(entry.tryExec == nil)
        #expect(entry.title == Self.entry.title)
        let text = Self.entry.throughGate("chess")
        #expect(text.split(separator: "\n").count { $0.hasPrefix("Exec=") } == 2)
        #expect(!text.contains("DBusActivatable"))
        #expect(text.hasPrefix("# A game\n[Desktop Entry]\nX-Gate-App=chess\n"))
        #expect(entry.throughGate("chess") == text, "twice is the same as once")
    }

    @Test("an entry that only D-Bus starts gets a program, which is Gate's")
    func activated() {
        let entry = MenuEntry(path: "a.desktop", text: "[Desktop Entry]\nType=Application\nDBusActivatable=true\n")
        let ours = MenuEntry(path: "a.desktop", text: entry.throughGate("a"))
        #expect(ours.exec?.words == ["gatectl", "apps", "run", "a"])
    }

    @Test("a D-Bus service starts Gate's program, and not systemd's unit")
    func service() {
        let text = BusService("[D-BUS Service]\nName=org.a\nExec=/usr/bin/a\nSystemdService=a.service\n").throughGate(
            "a")
        #expect(text == "[D-BUS Service]\nX-Gate-App=a\nName=org.a\nExec=/usr/bin/gatectl apps run a\n")
        #expect(BusService(text).gateApp == "a")
    }

    @Test(
        "Exec is split as the specification says",
        arguments: [
            ("foo", ["foo"]), ("foo  --bar\tbaz", ["foo", "--bar", "baz"]), (#""a b" c"#, ["a b", "c"]),
            (#"foo "\$HOME" "\`x\`" "\\""#, ["foo", "$HOME", "`x`", "\\"]), (#"foo """#, ["foo", ""]),
            (#"foo "a\b""#, ["foo", "a\\b"]), ("foo %i %c %k %u", ["foo"]), ("foo --x=%u --y=%%", ["foo", "--y=%"]),
        ])
    func exec(line: String, words: [String]) {
        #expect(ExecLine(line)?.words == words)
    }

    @Test(
        "Exec without a word, or with an open quotation mark, starts nothing",
        arguments: ["", "  ", "\"foo", "%f", "\"\""])
    func nothing(line: String) {
        #expect(ExecLine(line) == nil)
    }

    @Test(
        "the app's own program is found behind env, shells and interpreters",
        arguments: [
            (["supertux2"], ExecTarget.program("supertux2")),
            (["env", "-u", "LANG", "SDL=1", "/usr/games/x", "y"], .program("/usr/games/x")),
            (["/usr/bin/env", "python3", "/usr/share/x/x.py"], .readFile("/usr/share/x/x.py")),
            (["sh", "-c", "cd /usr/share/x && exec ./x \"$@\""], .program("./x")),
            (["bash", "/usr/share/x/x.sh"], .readFile("/usr/share/x/x.sh")),
            (["python3.11", "-m", "module"], .unknown),
            (["java", "-jar", "/usr/share/x.jar"], .readFile("/usr/share/x.jar")),
            (["love", "/usr/share/games/x.love"], .readFile("/usr/share/games/x.love")),
            (["nice", "-n", "5", "x"], .program("x")), (["flatpak", "run", "org.x"], .sandbox("flatpak")),
            (["env"], .unknown), (["/usr/games/python-like"], .program("/usr/games/python-like")),
        ] as [([String], ExecTarget)])
    func target(words: [String], target: ExecTarget) {
        #expect(ExecTarget(words) == target)
    }
}

@Suite("Names of apps (X-04)")
struct AppNameTests {
    @Test(
        "a name is the id in lower case, with hyphens in place of what gated actions can't have",
        arguments: [
            ("supertux2", "supertux2"), ("org.gnome.Chess", "org.gnome.chess"), ("Tux_Racer", "tux-racer"),
            ("0ad", "0ad"),
        ])
    func names(id: String, name: String) {
        #expect(AppName.of(id) == name)
        #expect("app.\(name)".isDottedName)
    }

    @Test(
        "an id that no gated action can be named after has no name",
        arguments: ["", "..", "-", "a..b", "schach é", "_x"])
    func none(id: String) {
        #expect(AppName.of(id) == nil)
    }

    @Test("groups have at most 32 bytes, and long names different ones")
    func groups() {
        #expect(AppName.group(of: "supertux2") == "gate-app-supertux2")
        let (one, other) = ("org.gnome.some.very.long.name.one", "org.gnome.some.very.long.name.other")
        #expect(AppName.group(of: one) != AppName.group(of: other))
        for name in [one, other] {
            #expect(AppName.group(of: name).utf8.count == 32)
            #expect(AppName.isGroup(AppName.group(of: name)))
        }
        #expect(AppName.ofAction("app.chess") == "chess")
        #expect(AppName.ofAction("link.open") == nil)
    }
}
