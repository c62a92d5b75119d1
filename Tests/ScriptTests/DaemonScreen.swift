import Foundation
import GateModel
import GateScripting
import ProcessSupport

/// Somebody's screen: a `gatectl present --exec` whose program puts each presentation into a file, and takes the answer
/// from a pipe.
struct DaemonScreen {
    let person: Person
    let process: ChildProcess
    private let folder: URL

    /// The presentation on the screen, as `gatectl` hands it to the program.
    var presentation: GatectlReply? {
        (try? String(contentsOf: folder.appending(path: "question"), encoding: .utf8)).flatMap {
            GatectlReply($0)?.presentation
        }
    }

    /// The error of the answer before; empty without an error or a presentation.
    var note: String {
        let text = try? String(contentsOf: folder.appending(path: "question"), encoding: .utf8)
        return text.flatMap { GatectlReply($0)?["text"]?.text("note") } ?? ""
    }

    /// Whether the program has read the answer.
    var hasTakenAnswer: Bool {
        !FileManager.default.fileExists(atPath: folder.appending(path: "answer").path())
    }

    init(_ person: Person, in directory: URL, gatectl arguments: ([String]) -> [String]) throws {
        self.person = person
        folder = directory.appending(path: "screen-\(person.name)-\(UUID().uuidString.prefix(4))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let relay = folder.appending(path: "relay")
        try Data(DaemonScreen.relay(folder.path()).utf8).write(to: relay)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: relay.path())
        process = try ChildProcess(
            builtProgram("gatectl"), arguments(["present", "--kinds", Self.kinds, "--exec", relay.path()]))
    }

    /// All kinds that a screen can show.
    private static let kinds = Presentation.Kind.allCases.map(\.name).joined(separator: ",")

    /// The shell that stands for a dialogue on a screen.
    private static func relay(_ folder: String) -> String {
        """
        #!/bin/sh
        cd '\(folder)' || exit 1
        rm -f answer
        # Nobody has read a question in its first second, and nothing is taken.
        sleep 1.1 & reading=$!
        # Written under another name first: who finds the file finds all of it.
        trap 'rm -f question answer; exit 1' TERM
        cat > new && mv new question
        until [ -e answer ]; do [ -e relay ] || exit 1; sleep 0.1; done
        wait $reading
        rm -f question
        cat answer
        rm -f answer

        """
    }

    /// Gives the text that the program is to print; an empty one dismisses.
    func answer(_ json: String) throws {
        try Data(json.utf8).write(to: folder.appending(path: "answer"), options: .atomic)
    }
}

extension ChallengeAnswer {
    /// The answer as a presenter's program prints it.
    var presenterJSON: String {
        let object: [String: Any] =
            switch self {
            case .text(let text): ["text": text]
            case .secret(let secret): ["secret": secret.withBytes { String(decoding: $0, as: UTF8.self) }]
            case .released: ["released": true]
            case .swiped(let gesture):
                ["swipe": ["direction": gesture.direction.rawValue, "fingers": gesture.fingers]]
            case .acknowledged(let button): button == .secondary ? ["secondary": true] : ["acknowledged": true]
            }
        let data = try? JSONSerialization.data(withJSONObject: object)
        return String(decoding: data ?? Data(), as: UTF8.self) + "\n"
    }
}
