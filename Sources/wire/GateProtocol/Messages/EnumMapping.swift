import GateModel

/// An enum of ours whose every case has a value in the generated code.
protocol EnumMapping: CaseIterable {
    associatedtype CEnum: RawRepresentable where CEnum.RawValue: FixedWidthInteger

    var wire: CEnum { get }
    /// For errors: the case's name, where nothing else is said.
    var text: String { get }
}

extension EnumMapping {
    var text: String { "\(self)" }

    /// `nil`: unspecified, or a value that this version does not know.
    init?(wire: CEnum) {
        guard let value = Self.allCases.first(where: { $0.wire.rawValue == wire.rawValue }) else { return nil }
        self = value
    }

    /// In an answer: a newer daemon may say what this version does not know, and that breaks no client.
    init(wire: CEnum, else unknown: Self) {
        self = Self(wire: wire) ?? unknown
    }

    /// In a request.
    /// - Throws: `INVALID_ARGUMENT`, naming the field.
    init(wire: CEnum, of field: StaticString) throws(GateError) {
        guard let value = Self(wire: wire) else {
            throw .wrong(
                "\(field)",
                wire.rawValue == 0 ? "is not set" : "is \(wire.rawValue), which this version does not know")
        }
        self = value
    }

    /// In a request, where unspecified means something: `nil`.
    /// - Throws: `INVALID_ARGUMENT`, naming the field.
    static func optional(wire: CEnum, of field: StaticString) throws(GateError) -> Self? {
        wire.rawValue == 0 ? nil : try Self(wire: wire, of: field)
    }
}

extension Set where Element: EnumMapping {
    /// A repeated field in which each value may stand once.
    /// - Throws: `INVALID_ARGUMENT`, naming the field.
    init(reading values: UnsafePointer<Element.CEnum>?, count: Int, of field: StaticString) throws(GateError) {
        self.init()
        for wire in UnsafeBufferPointer(start: values, count: count) {
            let value = try Element(wire: wire, of: field)
            guard insert(value).inserted else { throw .wrong("\(field)", "names \(value.text) twice; name each once") }
        }
    }

    /// In the order of the cases, so that the same set is always the same bytes.
    func wire() -> [Element.CEnum] {
        Element.allCases.filter(contains).map(\.wire)
    }
}
