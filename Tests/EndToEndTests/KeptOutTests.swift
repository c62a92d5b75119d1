import Foundation
import ProcessSupport
import TestRounds
import Testing

/// A child with programs of its own and an afternoon (T-04). Needs root, to become it.
@Suite(
    "Nobody keeps a grown-up out", .serialized, .waitsForProcesses,
    .enabled(if: OtherUser.isPossible, "only root can become another user"))
struct KeptOutTests {
    private static let child = OtherUser(uid: 65534)
    private static let grownUp = OtherUser(uid: 65533)

    private static let policy = """
        mode: {challenge: passcode, lease: 1h}
        gated-actions:
          link.open: {title: Open a web page, requires: {challenge: arithmetic-choice}}

        """

    private struct Method {
        let name: String
        /// The stream goes on until its caller cancels it.
        var isStream = false
    }

    /// All methods, as the .proto files have them.
    private static func methods() throws -> [Method] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../proto/gate/v1")
        var methods: [Method] = []
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted() {
            var service = ""
            for line in try String(contentsOf: folder.appending(path: file), encoding: .utf8).split(separator: "\n") {
                let words = line.split { !($0.isLetter || $0.isNumber) }.map(String.init)
                if words.first == "service", words.count > 1 { service = words[1] }
                guard words.first == "rpc", words.count > 1 else { continue }
                methods.append(Method(name: "gate.v1.\(service)/\(words[1])", isStream: words.contains("stream")))
            }
        }
        return methods
    }

    /// Request bodies that have a meaning where an empty one would be refused at once.
    private static let bodies = [
        "gate.v1.Mode/Toggle": #"{"presentsItself":true}"#,
        "gate.v1.Mode/Extend": #"{"presentsItself":true}"#,
        "gate.v1.Authorization/Authorize": #"{"gatedAction":"link.open","presentsItself":true}"#,
        "gate.v1.SignIn/LogIn": #"{"name":"lina","password":"YmVlLWhpdmU="}"#,
        "gate.v1.Watch/Watch": #"{"topics":["TOPIC_MODE"]}"#,
        "gate.v1.Presentations/RegisterPresenter":
            #"{"kinds":["PRESENTATION_KIND_PASSCODE"],"styles":["STYLE_SHEET"]}"#,
    ]

    /// Calls all of these for ever, one after the other, as the child; streams go on beside the next calls. Says "called" after
    /// each, since a round of them can take minutes where a sanitizer watches, and "round" after all.
    private func loop(_ gate: RunningGate, _ methods: [Method]) throws -> ChildProcess {
        let calls = methods.map { method in
            "timeout 3 \"$0\" call --socket \"$1\" --server-user root \(method.name) "
                + "'\(Self.bodies[method.name] ?? "{}")' >/dev/null 2>&1 \(method.isStream ? "&" : ";") echo called; "
        }
        let script = "while :; do \(calls.joined())echo round; done"
        return try Self.child.start("/bin/sh", ["-c", script, try OtherUser.gatectlForAll(gate), gate.socket])
    }

    @Test("while a child calls every method in a loop, a parent can enter parent mode and sign in, and stays in")
    func worst() throws {
        let gate = try RunningGate(policy: Self.policy, isOpenToOthers: true)
        #expect(try gate.gatectl("passcode", "set", "--stdin", input: "tr0ub4dor\n").status == 0)
        #expect(try gate.gatectl("register", "anna", "--password-file", "-", input: "green-door\n").status == 0)
        let lina = try gate.gatectl(
            "register", "lina", "--child", "2018-05-01", "--password-file", "-", input: "bee-hive\n")
        #expect(lina.status == 0)
        let methods = try Self.methods()
        #expect(methods.count >= 79)
        let loops = [
            try loop(gate, methods),
            try loop(gate, [Method(name: "gate.v1.Mode/Lock"), Method(name: "gate.v1.Mode/Toggle")]),
            try loop(gate, [Method(name: "gate.v1.SignIn/LogIn"), Method(name: "gate.v1.SignIn/LogOut")]),
        ]
        defer { for loop in loops { loop.kill() } }
        /// Returns when every call was tried at least once more.
        func aRoundLater() throws {
            for loop in loops { loop.skipLines() }
            for loop in loops { for _ in 0..<2 { try loop.lines(through: "round") } }
        }
        for loop in loops { try loop.lines(through: "round") }

        func isParent() throws -> Bool { try gate.gatectl("status").output.contains("parent") }
        func isAnna() throws -> Bool {
            try gate.gatectl("call", "gate.v1.SignIn/GetSignIn", "{}").output.contains(#""name":"anna""#)
        }
        // The child may end other people's parent mode three times in all.
        for time in 1...4 {
            let entered = try Self.grownUp.run(gate, "toggle", "--stdin", input: "tr0ub4dor\n")
            #expect(entered.status == 0, "\(entered.errors)")
            if time < 4 { try eventually("the child ends it the \(time). time") { try !isParent() } }
            guard time == 4 || TestRounds.areAll else { continue }
            try aRoundLater()
            #expect(try isParent() == (time == 4), "the \(time). time")
        }
        let signedIn = try Self.grownUp.run(
            gate, "login", "anna", "--password-file", "-", input: "green-door\n")
        #expect(signedIn.status == 0, "\(signedIn.errors)")
        for _ in 0..<TestRounds.count(1, all: 2) {
            try aRoundLater()
            #expect(try isParent() && isAnna())
        }
    }
}
