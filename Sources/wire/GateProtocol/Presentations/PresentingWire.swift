import CGateProtocol
package import GateModel

extension Presenting: EnumMapping {
    var wire: Gate__V1__Presenting {
        switch self {
        case .here: GATE__V1__PRESENTING__PRESENTING_HERE
        case .elsewhere: GATE__V1__PRESENTING__PRESENTING_ELSEWHERE
        case .elsewhereIfPossible: GATE__V1__PRESENTING__PRESENTING_ELSEWHERE_IF_POSSIBLE
        }
    }

    /// Reads both fields of a request. Programs that know only `presents_itself` leave `presenting` unspecified.
    ///
    /// - Throws: `INVALID_ARGUMENT` if this version does not know the value, or the two fields contradict each other.
    init(_ presenting: Gate__V1__Presenting, _ presentsItself: protobuf_c_boolean) throws(GateError) {
        let asked = try Self.optional(wire: presenting, of: "presenting")
        guard let asked, presentsItself != 0, asked != .here else {
            self = asked ?? (presentsItself != 0 ? .here : .elsewhere)
            return
        }
        throw .wrong("presenting", "says something else than \"presents_itself\"; leave one of them out")
    }

    /// The two fields of a request. Every daemon understands `presents_itself`, so `presenting` is set only for what
    /// that can't say.
    var fields: (presenting: Gate__V1__Presenting, presentsItself: protobuf_c_boolean) {
        switch self {
        case .here: (GATE__V1__PRESENTING__PRESENTING_UNSPECIFIED, 1)
        case .elsewhere: (GATE__V1__PRESENTING__PRESENTING_UNSPECIFIED, 0)
        case .elsewhereIfPossible: (wire, 0)
        }
    }
}
