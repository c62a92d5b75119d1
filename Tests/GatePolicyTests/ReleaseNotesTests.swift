import Foundation
import GateModel
import GatePolicy
import Testing

@Suite("Release notes")
struct ReleaseNotesTests {
    private static func read(_ text: String) throws(PolicyError) -> [String: ReleaseNotes] {
        try PolicyReader.read([PolicySource(name: "release-notes.d/a.yaml", text: text)]).configuration.releaseNotes
    }

    private static func problems(_ text: String) -> [String] {
        do throws(PolicyError) {
            _ = try read(text)
            return []
        } catch {
            return error.problems.map { String($0.description.dropFirst("release-notes.d/a.yaml:".count)) }
        }
    }

    @Test("a version's title, features and actions are read as they are written (F-56, F-57)")
    func whole() throws {
        let notes = try Self.read(
            """
            app: org.example.draw
            versions:
              1.2.0:
                title: What's new in Draw
                features:
                  - {title: Layers, subtitle: "Draw on top of what is there.", image: layers, colour: "#3584e4"}
                  - {title: Undo}
                primary: {title: Go on, haptic: success}
                secondary: {title: Learn more, url: "https://example.org/new?a=1#b", colour: "#26A269", haptic: light}
            """)
        #expect(
            notes == [
                "org.example.draw": ReleaseNotes(
                    app: "org.example.draw",
                    entries: [
                        WhatsNew(
                            version: AppVersion(1, 2, 0), title: "What's new in Draw",
                            features: [
                                WhatsNew.Feature(
                                    image: "layers", colour: "#3584e4", title: "Layers",
                                    subtitle: "Draw on top of what is there."),
                                WhatsNew.Feature(image: "", colour: "", title: "Undo", subtitle: ""),
                            ],
                            primary: WhatsNew.PrimaryAction(title: "Go on", haptic: .success),
                            secondary: WhatsNew.SecondaryAction(
                                title: "Learn more", haptic: .light, colour: "#26A269",
                                url: "https://example.org/new?a=1#b"))
                    ])
            ])
    }

    @Test("without actions there is one button, Continue, without haptic feedback")
    func defaults() throws {
        for primary in ["", "primary:", "primary: {}"] {
            let notes = try Self.read(
                "app: a\nversions:\n  2:\n    title: T\n    features: [{title: F}]\n    \(primary)\n")
            let entry = try #require(notes["a"]?.entries.first)
            #expect(entry.version == AppVersion(2, 0, 0))
            #expect(entry.primary == WhatsNew.PrimaryAction(title: "Continue", haptic: .none))
            #expect(entry.secondary == nil)
        }
        let hint = try Self.read(
            "app: a\nversions: {2: {title: T, features: [{title: F}], primary: {haptic: heavy}, secondary: {title: S}}}"
        )
        let entry = try #require(hint["a"]?.entries.first)
        #expect(entry.primary == WhatsNew.PrimaryAction(title: "Continue", haptic: .heavy))
        #expect(entry.secondary == WhatsNew.SecondaryAction(title: "S"))
    }

    @Test("versions are in order, the newest first, as numbers and not as text")
    func order() throws {
        let versions = ["1.9.0", "1.10", "0.1.7", "2", "1.10.1"]
        let text = versions.map { "  \($0): {title: T, features: [{title: F}]}\n" }.joined()
        let notes = try Self.read("app: a\nversions:\n\(text)")
        #expect(
            notes["a"]?.entries.map(\.version.description) == ["2.0.0", "1.10.1", "1.10.0", "1.9.0", "0.1.7"])
    }

    /// The text of a file with this version of the app `a`.
    private static func version(_ text: String) -> String { "app: a\nversions: {1: \(text)}" }
    private static let haptics = "none, selection, success, warning, error, light, medium, heavy"
    private static let colour =
        "'colour' is written \"#3584e4\", in quotes: what comes after a bare # is a comment. This is"

    @Test(
        "each mistake in release notes is reported with its place",
        arguments: [
            ("versions: {1: {title: T, features: [{title: F}]}}", "1:1: A file with release notes needs 'app'."),
            ("app: a", "1:1: A file with release notes needs 'versions'."),
            (
                "app: a b\nversions: {1: {title: T, features: [{title: F}]}}",
                "1:6: 'app' is the name that the app has for Gate, letters, digits, dots, hyphens and underscores, like "
                    + "org.example.draw, not 'a b'."
            ),
            (
                "[a]", "1:1: Write the keys of release notes here (app, versions), not a list."
            ),
            (
                "app: a\nversion: {}\nversions: {1: {title: T, features: [{title: F}]}}",
                "2:1: 'version' is no key of release notes. Did you mean 'versions'? There are: app, versions."
            ),
            (
                "app: a\nversions: [1.2.0]",
                "2:11: 'versions' are what is new, each under its version and a colon, like 1.2.0:, not a list."
            ),
            (
                "app: a\nversions:",
                "2:10: 'versions' are what is new, each under its version and a colon, like 1.2.0:, not nothing."
            ),
            (
                "app: a\nversions: {}",
                "2:11: 'versions' are what is new, each under its version and a colon, like 1.2.0:, not nothing."
            ),
            (
                "app: a\nversions:\n  1.2-beta: {title: T, features: [{title: F}]}",
                "3:3: '1.2-beta' is no version. Write up to three numbers with dots between them, like 1.2.0."
            ),
            (
                "app: a\nversions:\n  1.2.3.4: {title: T, features: [{title: F}]}",
                "3:3: '1.2.3.4' is no version. Write up to three numbers with dots between them, like 1.2.0."
            ),
            (
                "app: a\nversions:\n  1.2: {title: T, features: [{title: F}]}\n  1.2.0: {title: T, features: [{title: F}]}",
                "4:3: Version 1.2.0 is there already, in line 3. Keep one of them."
            ),
            (
                "app: a\nversions:\n  1.2: {title: T, features: [{title: F}]}\n  1.2: {title: T, features: [{title: F}]}",
                "4:3: The key '1.2' is there twice. The first is in line 3. Keep one of them."
            ),
            (version("{features: [{title: F}]}"), "2:15: Version 1.0.0 needs 'title'."),
            (version("{title: T}"), "2:15: Version 1.0.0 needs 'features'."),
            (version("{title: [], features: [{title: F}]}"), "2:23: 'title' is a text, not a list."),
            (version("{title: T, features: []}"), "2:36: 'features' has nothing in it."),
            (version("{title: T, features: F}"), "2:36: 'features' is a list like [one, two], not 'F'."),
            (
                version("{title: T, features: [F]}"),
                "2:37: Write the keys of a feature here (title, subtitle, image, colour), not 'F'."
            ),
            (version("{title: T, features: [{subtitle: F}]}"), "2:37: A feature needs 'title'."),
            (
                version("{title: T, features: [{title: F, color: red}]}"),
                "2:48: 'color' is no key of a feature. Did you mean 'colour'? There are: title, subtitle, image, colour."
            ),
            (version("{title: T, features: [{title: F, colour: red}]}"), "2:56: \(colour) 'red'."),
            (version("{title: T, features: [{title: F, colour: \"#3584e\"}]}"), "2:56: \(colour) '#3584e'."),
            (version("{title: T, features: [{title: F, colour: \"#3584eg\"}]}"), "2:56: \(colour) '#3584eg'."),
            (
                "app: a\nversions:\n  1:\n    title: T\n    features:\n      - title: F\n        colour: #3584e4\n",
                "7:16: \(colour) nothing."
            ),
            (
                version("{title: T, features: [{title: F}], primary: Go}"),
                "2:59: Write the keys of 'primary' here (title, haptic), not 'Go'."
            ),
            (
                version("{title: T, features: [{title: F}], primary: {haptic: sucess}}"),
                "2:68: 'sucess' is no haptic. Did you mean 'success'? There are: \(haptics)."
            ),
            (
                version("{title: T, features: [{title: F}], primary: {url: x}}"),
                "2:60: 'url' is no key of 'primary'. There are: title, haptic."
            ),
            (
                version("{title: T, features: [{title: F}], secondary: {haptic: light}}"),
                "2:61: 'secondary' needs 'title'."
            ),
        ])
    func mistakes(text: String, problem: String) {
        #expect(Self.problems(text) == [problem])
    }

    @Test(
        "an address in release notes that is not of the web is refused",
        arguments: [
            "ftp://example.org/", "javascript:alert(1)", "example.org", "https://", "https://a b/",
            "https://u@example.org/",
            "https://example.org/\u{E4}", "file:///etc/passwd", "https://example.org:0/", "https://example.org/?a b",
            "http://127.1/", "https://example.org/?\\\"", "~",
        ])
    func badAddress(url: String) throws {
        let text = Self.version("{title: T, features: [{title: F}], secondary: {title: S, url: '\(url)'}}")
        let problems = Self.problems(text)
        try #require(problems.count == 1)
        #expect(problems[0].hasPrefix("2:77: 'url' is an address of the web, like https://example.org/new, not '"))
    }

    @Test(
        "addresses of the web stay as they are written",
        arguments: [
            "https://example.org", "http://example.org/", "HTTPS://example.org/new/", "https://example.org:8443/a%20b",
            "https://[::1]/x", "https://example.org/?q=a+b&c=(d)#e", "https://example.org#top",
        ])
    func goodAddress(url: String) throws {
        let notes = try Self.read(
            Self.version("{title: T, features: [{title: F}], secondary: {title: S, url: '\(url)'}}"))
        #expect(notes["a"]?.entries.first?.secondary?.url == url)
    }

    @Test("texts in release notes have one line and a limited length")
    func lengths() {
        func title(_ text: String) -> [String] {
            Self.problems(Self.version("{title: \"\(text)\", features: [{title: F}]}"))
        }
        #expect(title(String(repeating: "x", count: 100)) == [])
        #expect(
            title(String(repeating: "x", count: 101)) == ["2:23: 'title' has 101 characters; at most 100 are shown."])
        #expect(title("a\\nb").count == 1)
        let features = Array(repeating: "{title: F}", count: 51).joined(separator: ", ")
        #expect(
            Self.problems(Self.version("{title: T, features: [\(features)]}")) == [
                "2:36: 'features' has 51 entries; at most 50 are read."
            ])
        let versions = (0..<501).map { "  \($0): {title: T, features: [{title: F}]}\n" }.joined()
        #expect(
            Self.problems("app: a\nversions:\n\(versions)") == [
                "3:3: 'versions' has 501 entries; at most 500 are read."
            ])
    }

    @Test("a second file of release notes for the same app is refused")
    func oneFile() throws {
        let text = Self.version("{title: T, features: [{title: F}]}")
        let directory = try ConfigurationDirectory(["release-notes.d/a.yaml": text, "release-notes.d/b.yaml": text])
        #expect(
            directory.problems() == [
                "release-notes.d/b.yaml:1:6: There are release notes of 'a' already: "
                    + "\(directory.path)/release-notes.d/a.yaml:1. Put them into one file."
            ])
        try directory.remove("release-notes.d/b.yaml")
        #expect(try directory.read().configuration.releaseNotes.count == 1)
        try directory.write("release-notes.d/a.yaml", Array("# app: a\n".utf8))
        #expect(try directory.read().configuration.releaseNotes.isEmpty)
        try directory.chmod("release-notes.d/a.yaml", 0o666)
        #expect(directory.problems().map { $0.prefix(46) } == ["release-notes.d/a.yaml: Others may write to it"])
    }

    @Test("there are at most 200 apps")
    func count() throws {
        let sources = (0..<201).map { number in
            PolicySource(
                name: "release-notes.d/\(number).yaml",
                text: "app: a\(number)\nversions: {1: {title: T, features: [{title: F}]}}")
        }
        #expect(try PolicyReader.read(Array(sources.dropLast())).configuration.releaseNotes.count == 200)
        let error = #expect(throws: PolicyError.self) { try PolicyReader.read(sources) }
        #expect(
            error?.description
                == "release-notes.d/200.yaml: There are more than 200 files with release notes. Take some of them away."
        )
    }
}
