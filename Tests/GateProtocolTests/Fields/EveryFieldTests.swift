import Testing

@testable import GateProtocol

/// A round trip that begins with a Swift value can't miss a field that the value does not have. These begin with the bytes of every
/// field that the descriptor names.
@Suite("Every field")
struct EveryFieldTests {
    @Test("a message that is read and written again keeps every field", arguments: 0..<sampledMessages.count)
    func everyFieldIsKept(index: Int) throws {
        let type = sampledMessages[index]
        var lost: Set<String> = []
        var appeared: Set<String> = []
        let plan = MessagePlan(type.descriptor)
        for variant in 0..<plan.variantCount {
            let message = FilledMessage(plan, variant: variant)
            let found = try sentOn(message, by: type)
            lost.formUnion(message.kept.paths(notIn: found))
            appeared.formUnion(found.paths(notIn: message.kept))
        }
        #expect(lost.sorted() == [], "\(type.typeName) loses these fields, or changes them")
        #expect(appeared.subtracting(lost).sorted() == [], "\(type.typeName) got these fields from nowhere")
    }

    @Test("each exception is of a field that does not come back")
    func everyExceptionIsNeeded() {
        var used: Set<String> = []
        for type in sampledMessages {
            let plan = MessagePlan(type.descriptor)
            for variant in 0..<plan.variantCount {
                used.formUnion(FilledMessage(plan, variant: variant).usedExceptions)
            }
        }
        // An exception that is used without need fails the test above, because its field comes back.
        #expect(Set(FieldException.all.map(\.field)) == used)
        #expect(FieldException.all.count == used.count)
    }

    @Test(
        "each exclusion is needed, because its fields don't come back together", arguments: FieldExclusion.all.indices)
    func everyExclusionIsNeeded(index: Int) {
        var others = FieldExclusion.all
        others.remove(at: index)
        let failing = sampledMessages.filter { type in
            let message = FilledMessage(MessagePlan(type.descriptor, exclusions: others), variant: 0)
            return (try? sentOn(message, by: type)) != message.kept
        }
        #expect(!failing.isEmpty, "\(FieldExclusion.all[index].fields.sorted())")
    }

    /// The contents of a message after it was decoded and encoded.
    private func sentOn<Message: WireMessage>(
        _ message: FilledMessage, by type: Message.Type
    ) throws -> FieldContents {
        FieldContents(try Message(decoding: message.bytes.array).encoded(), as: Message.descriptor)
    }
}
