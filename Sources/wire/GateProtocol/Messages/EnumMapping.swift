import GateModel

/// One of our enums whose every case has a value in an enum of the generated code.
protocol EnumMapping: CaseIterable {
    associatedtype CEnum: RawRepresentable where CEnum.RawValue: FixedWidthInteger

    var wire: CEnum { get }
    /// The value in error messages; by default the name of the case.
    var text: String { get }
}

extension EnumMapping {
    var text: String { "\(self)" }

    /// `nil` if no case has this value: it is unspecified, or unknown to this version.
    init?(wire: CEnum) {
        guard let value = Self.allCases.first(where: { $0.wire.rawValue == wire.rawValue }) else { return nil }
        self = value
    }

    /// For answers. Values of a newer daemon read as `unknown`, so that no client breaks.
    init(wire: CEnum, else unknown: Self) {
        self = Self(wire: wire) ?? unknown
    }

    /// For requests.
    /// - Throws: `INVALID_ARGUMENT`, naming the field, if the value is unspecified or unknown.
    init(wire: CEnum, of field: StaticString) throws(GateError) {
        guard let value = Self(wire: wire) else {
            throw .wrong(
                "\(field)",
                wire.rawValue == 0 ? "is not set" : "is \(wire.rawValue), which this version does not know")
        }
        self = value
    }

    /// For requests in which unspecified has a meaning, which is `nil` here.
    /// - Throws: `INVALID_ARGUMENT`, naming the field, if the value is unknown.
    static func optional(wire: CEnum, of field: StaticString) throws(GateError) -> Self? {
        wire.rawValue == 0 ? nil : try Self(wire: wire, of: field)
    }
}

extension Set where Element: EnumMapping {
    /// Reads a repeated field in which each value may stand once.
    /// - Throws: `INVALID_ARGUMENT`, naming the field, if a value is unspecified, unknown, or there twice.
    init(reading values: UnsafePointer<Element.CEnum>?, count: Int, of field: StaticString) throws(GateError) {
        self.init()
        for wire in UnsafeBufferPointer(start: values, count: count) {
            let value = try Element(wire: wire, of: field)
            guard insert(value).inserted else { throw .wrong("\(field)", "names \(value.text) twice; name each once") }
        }
    }

    /// The values in the order of the cases, so that equal sets are encoded to equal bytes.
    func wire() -> [Element.CEnum] {
        Element.allCases.filter(contains).map(\.wire)
    }
}
