/// A message without fields. Many requests are just that, and some answers.
package struct EmptyMessage<CMessage: CStruct>: MappedMessage {
    package init() {}

    init(reading message: CMessage) {}

    func write(to message: inout CMessage, in arena: inout MessageArena) {}
}
