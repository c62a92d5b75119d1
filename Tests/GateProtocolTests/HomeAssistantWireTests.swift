import GateModel
import GateProtocol
import Testing

@Suite("Commands of Home Assistant on the wire (H-07)")
struct HomeAssistantWireTests {
    private func refusal(_ bytes: MessageBytes) -> String? {
        do throws(GateError) {
            _ = try ObeyHomeAssistantRequest(decoding: bytes.array)
            return nil
        } catch {
            return error.parameters["field"]
        }
    }

    @Test("a yes or no without the number of its question is refused", arguments: [3, 4] as [UInt64])
    func question(verb: UInt64) throws {
        #expect(refusal(MessageBytes { $0.number(1, verb) }) == "request")
        #expect(
            refusal(MessageBytes { $0.number(1, verb).number(3, 0) }) == "request")
        let read = try ObeyHomeAssistantRequest(decoding: MessageBytes { $0.number(1, verb).number(3, 7) }.array)
        #expect(read.order == .answer(7, isApproved: verb == 3))
    }

    @Test("a yes with a choice that nobody knows is refused, and a no with such a word is a plain one")
    func choice() throws {
        func bytes(_ verb: UInt64, _ choice: String) -> MessageBytes {
            MessageBytes { $0.number(1, verb).number(3, 7).bytes(4, Array(choice.utf8)) }
        }
        for word in ["on-sundays", "0m", "Once", "until-tomorrow"] { #expect(refusal(bytes(3, word)) == "choice") }
        #expect(try ObeyHomeAssistantRequest(decoding: bytes(3, "once").array).order == .answer(7, .yes(.once)))
        #expect(try ObeyHomeAssistantRequest(decoding: bytes(4, "30m").array).order == .answer(7, .no))
        // The core refuses these.
        #expect(try ObeyHomeAssistantRequest(decoding: bytes(3, "always").array).order == .answer(7, .yes(.always)))
    }

    @Test("a lock stays a lock if it carries other fields")
    func lock() throws {
        let read = try ObeyHomeAssistantRequest(decoding: MessageBytes { $0.number(1, 1).number(3, 7) }.array)
        #expect(read.order == .lock)
    }
}
