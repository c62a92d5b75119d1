import GateTexts

/// Why an app is not guarded, or not completely. A record stores the problem as a word and its subject, so that each
/// reader gets a sentence in their own language.
struct AppProblem: Error, Hashable, Codable {
    enum Word: String, Codable, CaseIterable {
        case notInstalled = "not-installed"
        /// `what`: the ids of the entries.
        case ambiguous
        /// The menu entry starts nothing that is there, or its packages have no code.
        case noProgram = "no-program"
        case notOfPackage = "not-of-package"
        /// `what`: flatpak or snap.
        case sandbox
        /// `what`: the package that the system needs.
        case system
        /// `what`: the package; `by`: the package that needs it.
        case needed
        case gate
        /// `what`: the program's package, which comes from another source.
        case elsewhere
        /// `what`: the package that the other app has, too; `by`: that app.
        case otherApp = "other-app"
        /// `what`: a file that would lose its capabilities.
        case capabilities
        /// `what`: a file or folder that others can use because of an access list.
        case accessList = "access-list"
        /// gate-launcher would not take the command line of the menu entry.
        case odd
        /// `what`: a file that Gate did not write, in the place of one of its menu entries.
        case foreignFile = "foreign-file"
        /// The policy names the app, but no run on this device has guarded it yet.
        case open
        /// A call to the system failed. `by`: the error's message.
        case failed
    }

    var word: Word
    var what = ""
    var by = ""

    init(_ word: Word, _ what: String = "", by: String = "") {
        (self.word, self.what, self.by) = (word, what, by)
    }

    func sentence(_ name: String) -> String {
        switch word {
        case .notInstalled:
            localized("There is no app {app} on this device. `gatectl apps list` shows all.", ["app": name])
        case .ambiguous:
            localized(
                "Several menu entries have the name {app}: {what}. Gate can't tell them apart.",
                ["app": name, "what": what])
        case .noProgram: localized("The menu entry of {app} starts no program that Gate can find.", ["app": name])
        case .notOfPackage:
            localized(
                "{app} was not installed as a Debian package, so Gate can't hold its files.", ["app": name])
        case .sandbox:
            localized("{app} is started by {what}, whose apps Gate can't hold.", ["app": name, "what": what])
        case .system: localized("The device needs the package {what}, so it can't be guarded.", ["what": what])
        case .needed:
            localized(
                "{by} needs the package {what}, and would no longer work for the children.",
                ["by": by, "what": what])
        case .gate: localized("{app} is a part of Gate.", ["app": name])
        case .elsewhere:
            localized(
                "The program of {app} belongs to the package {what}, which other apps use, too.",
                ["app": name, "what": what])
        case .otherApp:
            localized(
                "{app} is in the package {what}, which {by} guards already.",
                ["app": name, "what": what, "by": by])
        case .capabilities:
            localized("{what} has capabilities, which it would lose.", ["what": what])
        case .accessList:
            localized(
                "{what} has an access list, by which somebody could still use it. Remove the list: `sudo setfacl -b {what}`",
                ["what": what])
        case .odd: localized("Gate can't start {app} by the command line of its menu entry.", ["app": name])
        case .foreignFile:
            localized(
                "{what} is in the place of Gate's menu entry. Remove it, and run `sudo gatectl apps apply`.",
                ["what": what])
        case .open:
            localized("The policy names it, but nothing holds it on this device yet. `gatectl doctor` says why.")
        case .failed: by
        }
    }
}

/// How well an app can be held, and the reasons why not better.
struct AppHold: Hashable, Codable {
    enum Strength: String, Codable {
        /// The kernel refuses every other way to start it.
        case kernel
        /// People who may start it can read its code, and so copy it.
        case hands
        case nothing
    }

    /// A reason why the strength is not `kernel`.
    struct Reason: Hashable, Codable {
        enum Word: String, Codable {
            /// `what`: one of the scripts.
            case scripts
            /// `what`: one of the modules.
            case modules
            /// `what`: a package of the app that stays open, since `by` needs it.
            case leftOut = "left-out"
            /// `what`: a path of the app's that is no UTF-8.
            case unnamed
            /// `what`: a set-group-id program; `by`: the group, which it does not get from gate-launcher. It is held all
            /// the same.
            case group
        }

        var word: Word
        var what: String
        var by = ""

        var sentence: String {
            switch word {
            case .scripts:
                localized(
                    "It has scripts like {what}, which have to be read to run: a child who was allowed to start it can copy them then.",
                    ["what": what])
            case .modules:
                localized(
                    "It has code like {what} that is read to run: a child who was allowed to start it can copy it then.",
                    ["what": what])
            case .leftOut:
                localized(
                    "Its package {what} stays open, since {by} needs it, too.", ["what": what, "by": by])
            case .unnamed:
                localized("The name of {what} is not UTF-8, so Gate can't hold it.", ["what": what])
            case .group:
                localized(
                    "{what} usually gets the rights of the group {by}. Through Gate it starts without them.",
                    ["what": what, "by": by])
            }
        }
    }

    var strength: Strength
    var reasons: [Reason] = []

    var sentence: String {
        switch strength {
        case .kernel: localized("held by the kernel")
        case .hands: localized("can be copied once it was allowed")
        case .nothing: localized("can't be guarded")
        }
    }
}
