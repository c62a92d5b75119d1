import Foundation
import ProcessSupport
import Testing

@Suite("Completion in a shell", .serialized, .waitsForProcesses)
struct CompletionTests {
    /// What bash offers after a tabulator, by the script that `gatectl` generates.
    ///
    /// - Parameter words: the words that were typed; the last one is not finished, and may be empty.
    private func offered(_ gate: RunningGate, _ words: String...) throws -> Set<String> {
        let words = ["gatectl"] + words
        let script = """
            PATH=$1:$PATH
            source <("$1/gatectl" --generate-completion-script bash)
            shift
            COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=${#COMP_LINE}
            _gatectl gatectl "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let programs = URL(fileURLWithPath: builtProgram("gatectl")).deletingLastPathComponent().path
        let process = try ChildProcess(
            "/bin/bash", ["-c", script, "bash", programs] + words, environment: ["GATE_SOCKET": gate.socket],
            hasInput: false)
        let result = try process.ended()
        return Set(result.output.split(separator: "\n").map(String.init))
    }

    @Test("a shell completes the names that the daemon knows")
    func names() throws {
        // Where the tests don't run as root, the daemon is not one that is trusted unasked.
        guard getuid() == 0 else { return }
        let pets = """
            {resourceType: Questionnaire, id: pets, url: "https://example.org/pets", name: Pets, status: active,
              item: [{linkId: cat, type: boolean, text: A cat?}]}

            """
        let gate = try RunningGate(files: ["questionnaires.d/pets.yaml": Array(pets.utf8)])
        for verb in ["check", "authorize", "redeem"] {
            #expect(try offered(gate, verb, "").isSuperset(of: ["link.open", "photos.delete"]), "\(verb)")
        }
        #expect(try offered(gate, "check", "li") == ["link.open"])
        #expect(try offered(gate, "run", "--gate", "") == ["link.open", "photos.delete"])
        #expect(try offered(gate, "lockouts", "clear", "ph") == ["photos.delete"])
        #expect(try offered(gate, "form", "show", "").contains("pets"))

        for name in ["anna", "ben $(touch x)", "`id`"] {
            #expect(try gate.gatectl("register", name, "--password-file", "-", input: "a-password\n").status == 0)
        }
        let people = try offered(gate, "people", "remove", "")
        #expect(people.contains("anna"))
        #expect(!people.contains { $0.contains("ben") || $0.contains("id`") }, "bash would run them")

        #expect(try offered(gate, "call", "gate.v1.Mode/GetM") == ["gate.v1.Mode/GetMode"])
        try gate.crash()
        #expect(try offered(gate, "check", "li").isEmpty, "nobody is there to ask")
    }
}
