import GateModel
import GateProtocol
import Testing

@testable import gatectl

@Suite("Finding a method by its name")
struct MethodNamesTests {
    @Test("a method is found by its full name")
    func found() throws {
        let method = try MethodNames.find("gate.v1.Watch/Watch")
        #expect(method.service == "gate.v1.Watch" && method.name == "Watch" && method.isServerStream)
    }

    @Test(
        "an unknown method is refused, and similar names are suggested",
        arguments: [
            ("gate.v1.Mode/GatMode", "gate.v1.Mode/GetMode"), ("gate.v1.mode/getmode", "gate.v1.Mode/GetMode"),
            ("Mode/Toggle", "gate.v1.Mode/Toggle"), ("gate.v1.Mode.Lock", "gate.v1.Mode/Lock"),
        ])
    func suggestion(name: String, nearest: String) {
        #expect {
            try MethodNames.find(name)
        } throws: { error in
            guard let error = error as? GateError else { return false }
            return error.exitStatus == 65 && error.message.contains("Did you mean \(nearest)")
        }
    }

    @Test(
        "for a name unlike any other the services are listed",
        arguments: ["", "x", "something.else.entirely.Service/Do"])
    func nothingNear(name: String) {
        #expect {
            try MethodNames.find(name)
        } throws: { error in
            (error as? GateError)?.message.contains("gate.v1.Control") == true
        }
    }

    @Test(
        "the distance of two names is the number of changes between them",
        arguments: [
            ("", "", 0), ("abc", "", 3), ("", "ab", 2), ("get", "gat", 1), ("kitten", "sitting", 3),
            ("form", "from", 1),
        ])
    func distance(left: String, right: String, distance: Int) {
        #expect(EditDistance.between(Array(left), Array(right)) == distance)
    }
}
