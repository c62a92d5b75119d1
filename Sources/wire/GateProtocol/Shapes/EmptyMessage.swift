/// A message without fields, as many requests and some answers are.
package struct EmptyMessage<CMessage: CStruct>: MappedMessage {
    package init() {}

    init(reading message: CMessage) {}

    func write(to message: inout CMessage, in arena: inout MessageArena) {}
}
