import Foundation
import ProcessSupport
import Testing

/// Forms as the programs and people of a device use them: with real processes, a real socket and a real disk.
@Suite("Forms from the shell", .serialized, .waitsForProcesses)
struct FormTests {
    static func exampleForm(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: repositoryFile("examples/device/questionnaires.d/\(name).yaml"))))
    }

    /// With the forms of the example device.
    private static func gate(
        policy: String = RunningGate.policy, isOpenToOthers: Bool = false
    ) throws -> RunningGate {
        try RunningGate(
            policy: policy,
            files: [
                "questionnaires.d/consent.yaml": try exampleForm("consent"),
                "questionnaires.d/child-profile.yaml": try exampleForm("child-profile"),
                "questionnaires.d/motor-insurance.yaml": try exampleForm("motor-insurance"),
            ], isOpenToOthers: isOpenToOthers)
    }

    @Test("what was entered survives kill -9, with its revision (F-39)")
    func survivesCrash() throws {
        let gate = try Self.gate()
        #expect(try gate.gatectl("form", "open", "motor-insurance").status == 0)
        #expect(try gate.gatectl("form", "set", "motor-insurance", "country", "DE").status == 0)
        #expect(try gate.gatectl("form", "set", "motor-insurance", "city", "Berlin").status == 0)
        let before = try gate.gatectl("form", "get", "motor-insurance", "--json").output
        try gate.crash()
        try gate.start()
        #expect(try gate.gatectl("form", "get", "motor-insurance", "--json").output == before)
        #expect(before.contains("Berlin"))
        #expect(try gate.gatectl("form", "set", "motor-insurance", "street", "Allee", "--at", "3").status == 0)
    }

    @Test("a slow server announces its suggestion, and its value arrives (F-75, F-76)")
    func slowServer() throws {
        let gate = try Self.gate()
        func form(_ words: String...) throws -> ChildProcess.Result {
            let daemon = ["--socket", gate.socket, "--server-user", NSUserName()]
            return try ChildProcess(builtProgram("gatectl"), ["form"] + words + daemon, hasInput: false).ended()
        }
        func waitUntil(_ what: Comment, _ isSo: () throws -> Bool) throws {
            for _ in 0..<100 {
                if try isSo() { return }
                Thread.sleep(forTimeInterval: 0.1)
            }
            Issue.record(what)
        }
        #expect(try form("open", "motor-insurance").status == 0)
        let server = try ChildProcess(
            "/bin/sh",
            [
                repositoryFile("examples/engine-power/look-up.sh"), "5", "--socket", gate.socket, "--server-user",
                NSUserName(),
            ],
            environment: [
                "PATH": (builtProgram("gatectl") as NSString).deletingLastPathComponent + ":/usr/bin:/bin"
            ], hasInput: false)
        defer { server.kill() }
        #expect(try form("set", "motor-insurance", "manufacturer", "fiat").status == 0)
        #expect(try form("set", "motor-insurance", "model", "Panda").status == 0)
        try waitUntil("it says that it looks the power up") {
            try form("get", "motor-insurance", "--pending", "--json").output.hasPrefix(
                "[{\"path\":\"engine-power\",\"deadlineBoottimeNanoseconds\":")
        }
        try waitUntil("it has found it") { try form("get", "motor-insurance", "engine-power").output == "51 kW\n" }
        try waitUntil("nothing is looked up any more") {
            try form("get", "motor-insurance", "--pending").output.isEmpty
        }
        // The person's own answer stays, and the server's suggestion can still be taken.
        #expect(try form("set", "motor-insurance", "engine-power", "63 kW").status == 0)
        #expect(try form("get", "motor-insurance").output.contains("63 kW (suggested: 51 kW)"))
        let json = try form("get", "motor-insurance", "--pending", "--json").output
        #expect(json.hasPrefix("[{\"path\":\"engine-power\",\"answers\":[{\"valueQuantity\"") && json.contains("51"))
        #expect(try form("suggest", "motor-insurance", "engine-power", "--withdraw").status == 0)
        #expect(try form("get", "motor-insurance", "--pending").output.isEmpty)
    }

    @Test("a file of answers by linkIds fills a draft completely or not at all (F-83)")
    func plainAnswers() throws {
        let gate = try Self.gate()
        let file = FileManager.default.temporaryDirectory.appending(path: "gate-answers-\(UUID()).yaml")
        defer { try? FileManager.default.removeItem(at: file) }
        func fill(_ text: String, at revision: String? = nil) throws -> ChildProcess.Result {
            try Data(text.utf8).write(to: file)
            guard let revision else {
                return try gate.gatectl("form", "fill", "motor-insurance", "--file", file.path())
            }
            return try gate.gatectl("form", "fill", "motor-insurance", "--file", file.path(), "--at", revision)
        }
        let answers = """
            country: DE        # a code, or its text
            city: Berlin
            driver:
              - driver-given-name: Anna
              - {driver-given-name: Ben, driver-accidents: 1}

            """
        #expect(try fill(answers).status == 0)
        let filled = try gate.gatectl("form", "get", "motor-insurance").output
        for line in [
            "Address: Germany, Berlin  [address]", "Name: Ben  [driver[1]/driver-name]", "How many months: 12",
        ] {
            #expect(filled.contains(line), "\(line): \(filled)")
        }
        let address = try gate.gatectl("form", "get", "motor-insurance", "address").output
        #expect(address.contains("City: Berlin  [city]"), "\(address)")
        // Another city leaves the other answers unchanged.
        #expect(try fill("city: Bonn\n").status == 0)
        #expect(try gate.gatectl("form", "get", "motor-insurance").output == filled.replacing("Berlin", with: "Bonn"))
        let wrong = try fill("city: Ulm\ninsurance-months: seven\nstret: Allee\n")
        #expect(wrong.status == 65)
        #expect(wrong.errors.contains("\(file.path()):2:19: 'How many months': 'seven' is no"), "\(wrong.errors)")
        #expect(wrong.errors.contains(":3:1: The form has no item 'stret'. Did you mean 'street'?"), "\(wrong.errors)")
        #expect(try gate.gatectl("form", "get", "motor-insurance", "city").output.contains("Bonn"))
        #expect(try fill("city: Ulm\n", at: "1").status == 75)
        // An answer whose question is disabled is kept, and so is the initial value of a question that the file enables
        // (K-05).
        func set(_ question: String, _ answer: String) throws {
            #expect(try gate.gatectl("form", "set", "motor-insurance", question, answer).status == 0)
        }
        try set("registration-number", "B-GT 1234")
        try set("no-registration-number", "yes")
        #expect(try fill("remarks: hello\ncover: [theft]\n").status == 0)
        try set("no-registration-number", "no")
        for (question, answer) in [("registration-number", "B-GT 1234"), ("excess", "150")] {
            let kept = try gate.gatectl("form", "get", "motor-insurance", question).output
            #expect(kept.contains(answer), "\(kept)")
        }
    }

    @Test("two programs work on one draft and are told of each change, and an old revision is refused (exit 75)")
    func twoPrograms() throws {
        let gate = try Self.gate()
        let watchers = try (0..<2).map { _ in try gate.gatectlRunning("watch", "--topic", "forms", "--json") }
        for watcher in watchers { _ = try watcher.lines(through: "snapshot") }
        #expect(try gate.gatectl("form", "open", "child-profile").status == 0)
        for watcher in watchers { #expect(try watcher.nextLine().contains(#""name":"child-profile""#)) }
        #expect(try gate.gatectl("form", "set", "child-profile", "given-name", "Lina", "--at", "1").status == 0)
        for watcher in watchers { #expect(try watcher.nextLine().contains(#""revision":"2""#)) }
        let late = try gate.gatectl("form", "set", "child-profile", "given-name", "Nina", "--at", "1")
        #expect(late.status == 75 && late.errors.contains("revision 2"), "\(late.errors)")
        #expect(try gate.gatectl("form", "get", "child-profile", "given-name").output.contains("Lina"))
    }

    @Test("a form is added and changed by its file alone; one with a mistake is refused with its place (F-46)")
    func reload() throws {
        let gate = try RunningGate()
        #expect(try gate.gatectl("form", "show", "pets").status == 65)
        let first = """
            resourceType: Questionnaire
            id: pets
            title: Pets
            status: active
            item:
              - {linkId: name, type: string, text: Name}
              - {linkId: legs, type: integer, text: Legs}

            """
        try gate.writeConfiguration(Array(first.utf8), to: "questionnaires.d/pets.yaml")
        #expect(try gate.gatectl("reload").status == 0)
        #expect(try gate.gatectl("form", "open", "pets").status == 0)
        #expect(try gate.gatectl("form", "set", "pets", "name", "Rex").status == 0)
        #expect(try gate.gatectl("form", "set", "pets", "legs", "4").status == 0)

        try gate.writeConfiguration(
            Array(first.replacing("type: integer", with: "type: inetger").utf8), to: "questionnaires.d/pets.yaml")
        let refused = try gate.gatectl("reload")
        #expect(refused.status != 0 && refused.errors.contains("pets.yaml:7:"), "\(refused.errors)")
        #expect(refused.errors.contains("legs"))
        #expect(try gate.gatectl("form", "get", "pets", "legs").output.contains("4"))

        // Answers that no longer fit are cleared, the others stay.
        try gate.writeConfiguration(
            Array(first.replacing("type: integer, text: Legs", with: "type: boolean, text: Has legs").utf8),
            to: "questionnaires.d/pets.yaml")
        #expect(try gate.gatectl("reload").status == 0)
        let draft = try gate.gatectl("form", "get", "pets").output
        #expect(draft.contains("Rex") && !draft.contains("4"), "\(draft)")
    }

    @Test("a document is stored once, read back byte for byte, and removed with the last answer that names it")
    func documents() throws {
        let gate = try Self.gate()
        let picture = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
        let file = gate.directory + "/licence.jpg"
        try Data(picture).write(to: URL(filePath: file))
        #expect(try gate.gatectl("form", "open", "motor-insurance").status == 0)
        let attached = try gate.gatectl("form", "attach", "motor-insurance", "driver[0]/driver-licence", file)
        #expect(attached.status == 0, "\(attached.errors)")
        let answer = try gate.gatectl("form", "get", "motor-insurance", "driver[0]/driver-licence", "--json").output
        let digest = try #require(answer.firstMatch(of: #/urn:sha256:([0-9a-f]{64})/#)?.1)
        #expect(answer.contains("200000") && !answer.contains("data"))
        var read: [UInt8] = []
        while read.count < picture.count {
            let request = #"{"digest":"\#(digest)","offset":"\#(read.count)"}"#
            let piece = try gate.gatectl("call", "gate.v1.Questionnaires/Download", request).output
            let object = try JSONSerialization.jsonObject(with: Data(piece.utf8)) as? [String: Any]
            read += try #require((object?["piece"] as? String).flatMap { Data(base64Encoded: $0) })
        }
        #expect(read == picture)
        #expect(try gate.gatectl("form", "set", "motor-insurance", "driver[0]/driver-licence", "--clear").status == 0)
        let gone = try gate.gatectl(
            "call", "gate.v1.Questionnaires/Download", #"{"digest":"\#(digest)","offset":"0"}"#)
        #expect(gone.status == 65)
    }

    @Test("filling in a form on a terminal shows errors at their question, goes back, and skips disabled questions")
    func terminal() throws {
        let form = """
            resourceType: Questionnaire
            id: trip
            title: A trip
            status: active
            item:
              - linkId: days
                type: integer
                text: How many days
                required: true
                extension: [{url: "http://hl7.org/fhir/StructureDefinition/maxValue", valueInteger: 9}]
              - linkId: hotel
                type: boolean
                text: Do you need a hotel
              - linkId: hotel-name
                type: string
                text: Which hotel
                enableWhen: [{question: hotel, operator: "=", answerBoolean: true}]
              - {linkId: remark, type: string, text: Anything else}

            """
        let gate = try RunningGate(files: ["questionnaires.d/trip.yaml": Array(form.utf8)])
        let terminal = try gate.gatectlOnTerminal("form", "fill", "trip", rows: 40)
        try terminal.shows("How many days")
        terminal.type("12\r")
        try terminal.shows("at most 9")
        terminal.type("3\r")
        try terminal.shows("Do you need a hotel")
        terminal.type("no\r")
        try terminal.shows("Anything else")
        #expect(!terminal.text.contains("Which hotel"))
        terminal.type("<\r")
        terminal.type("yes\r")
        try terminal.shows("Which hotel")
        terminal.type("Adler\r")
        terminal.type("a window\r")
        try terminal.shows("omplete")
        terminal.type("y\r")
        let ended = try terminal.ended()
        #expect(ended.status == 0)
        #expect(ended.before == ended.after)
        let response = try gate.gatectl("form", "response", "1", "--json").output
        #expect(response.contains("Adler") && response.contains(#""valueInteger":3"#), "\(response)")
    }

    @Test("news are shown once on a terminal, and their link has to pass the gate (F-57, F-58)")
    func whatsNew() throws {
        let notes = """
            app: org.example.draw
            versions:
              1.2.0:
                title: New in Draw
                features: [{title: Layers, subtitle: Draw on top.}]
                secondary: {title: Learn more, url: "https://example.org/new"}

            """
        let gate = try RunningGate(
            files: ["release-notes.d/org.example.draw.yaml": Array(notes.utf8)])
        let terminal = try gate.gatectlOnTerminal(
            "whatsnew", "show", "org.example.draw", "1.2.3", "--browser", "/bin/true")
        try terminal.shows("Layers")
        try terminal.shows("Learn more")
        terminal.type("s")
        // The gate in front of the link.
        try terminal.shows("A grown-up answers")
        terminal.type("\u{1b}")
        #expect(try terminal.ended().status == 3)
        // The notes count as seen, whatever became of the link.
        let again = try gate.gatectl("whatsnew", "show", "org.example.draw", "1.2.3")
        #expect(again.status == 0 && again.output.contains("nothing new"), "\(again.output)\(again.errors)")
        #expect(try gate.gatectl("whatsnew", "reset", "org.example.draw").status == 0)
        #expect(try gate.gatectl("whatsnew", "show", "org.example.draw", "1.2.3", input: "").status == 2)
    }
}

/// Whose forms a user reaches. Needs root, to act as other users.
@Suite(
    "Forms of two users", .serialized, .waitsForProcesses,
    .enabled(if: OtherUser.isPossible, "only root can become another user"))
struct FormsOfTwoUsersTests {
    private static let child = OtherUser(uid: 65534)
    private static let other = OtherUser(uid: 65532)

    @Test("nobody can reach another user's draft, responses or documents, or learn that they exist")
    func othersForms() throws {
        let form = """
            resourceType: Questionnaire
            id: diary
            title: Diary
            status: active
            item:
              - {linkId: entry, type: text, text: Entry}
              - {linkId: picture, type: attachment, text: Picture}

            """
        let gate = try RunningGate(files: ["questionnaires.d/diary.yaml": Array(form.utf8)], isOpenToOthers: true)
        let watcher = try Self.other.gatectl(gate, ["watch", "--topic", "forms", "--json"])
        #expect(try watcher.nextLine().contains("snapshot"))
        #expect(try Self.child.run(gate, "form", "open", "diary").status == 0)
        #expect(try Self.child.run(gate, "form", "set", "diary", "entry", "my secret").status == 0)
        let picture = gate.directory + "/picture.png"
        try Data((0..<100).map { UInt8($0) }).write(to: URL(filePath: picture))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: picture)
        #expect(try Self.child.run(gate, "form", "attach", "diary", "picture", picture).status == 0)
        let answer = try Self.child.run(gate, "form", "get", "diary", "picture", "--json").output
        let digest = try #require(answer.firstMatch(of: #/urn:sha256:([0-9a-f]{64})/#)?.1)
        #expect(try Self.child.run(gate, "form", "save", "diary").status == 0)

        #expect(try Self.other.run(gate, "form", "get", "diary").status == 65)
        #expect(try Self.other.run(gate, "form", "response", "1").status == 65)
        #expect(try Self.other.run(gate, "form", "withdraw", "1").status == 65)
        #expect(try !Self.other.run(gate, "form", "responses").output.contains("diary"))
        let download = #"{"digest":"\#(digest)","offset":"0"}"#
        #expect(try Self.other.run(gate, "call", "gate.v1.Questionnaires/Download", download).status == 65)
        // Knowing a form's name gives no access to it.
        #expect(try Self.other.run(gate, "form", "open", "diary").status == 0)
        let answers = #"[{"valueAttachment":{"contentType":"image/png","size":100,"url":"urn:sha256:\#(digest)"}}]"#
        let request =
            #"{"target":{"name":"diary"},"path":"picture","answers":"\#(Data(answers.utf8).base64EncodedString())"}"#
        #expect(try Self.other.run(gate, "call", "gate.v1.Questionnaires/SetAnswer", request).status == 65)
        // Its watch only tells of its own forms.
        let heard = try watcher.nextLine()
        #expect(heard.contains(#""uid":65532"#) && !heard.contains("65534"), "\(heard)")
        // An administrator sees both.
        #expect(try gate.gatectl("form", "response", "1").output.contains("my secret"))
    }

    @Test("a child's program fills in the consent, a grown-up's screen completes it, and the gate opens")
    func consent() throws {
        let policy = """
            mode: {challenge: passcode}
            roles:
              presenter: {users: [65531, 65533]}
              grown-up-presenter: {users: [65533]}
            gated-actions:
              chat.open: {title: Chat, requires: {form: consent}}

            """
        let gate = try RunningGate(
            policy: policy, files: ["questionnaires.d/consent.yaml": Array(Self.consent.utf8)], isOpenToOthers: true)
        #expect(try Self.child.run(gate, "form", "open", "consent").status == 0)
        #expect(try Self.child.run(gate, "form", "set", "consent", "agreed", "yes").status == 0)
        let forged = try Self.child.run(gate, "form", "complete", "consent")
        #expect(forged.status == 1 && forged.errors.contains("grown-up"), "\(forged.errors)")
        #expect(try Self.child.run(gate, "authorize", "chat.open").status == 2)

        // A presenter for everybody does not get the form; the grown-up's presenter does.
        let screen = OtherUser(uid: 65531)
        let bystander = try screen.gatectl(gate, ["present", "--kinds", "form", "--exec", "/bin/true"])
        #expect(try Self.child.run(gate, "authorize", "chat.open").status == 2)
        bystander.kill()
        let program = gate.directory + "/completes"
        let answered =
            #"{"resourceType":"QuestionnaireResponse","status":"completed","#
            + #""item":[{"linkId":"agreed","answer":[{"valueBoolean":true}]}]}"#
        try writeProgram("#!/bin/sh\ncat >/dev/null\nsleep 1.1\necho '\(answered)'\n", to: program)
        let grownUp = try OtherUser(uid: 65533).gatectl(gate, ["present", "--kinds", "form", "--exec", program])
        defer { grownUp.kill() }
        try eventually("the grown-up's screen completes the consent") {
            try Self.child.run(gate, "authorize", "chat.open").status == 0
        }
        #expect(try Self.child.run(gate, "check", "chat.open").status == 0)
        #expect(try Self.other.run(gate, "check", "chat.open").status != 0)
        #expect(try Self.child.run(gate, "form", "withdraw", "1").status == 0)
        #expect(try Self.child.run(gate, "check", "chat.open").status != 0)
    }

    private static let consent = """
        resourceType: Questionnaire
        id: consent
        title: Consent
        version: "1"
        status: active
        extension: [{url: "https://gate.example/fhir/StructureDefinition/completed-by", valueCode: grown-up}]
        item:
          - {linkId: agreed, type: boolean, text: I agree, required: true}

        """
}
