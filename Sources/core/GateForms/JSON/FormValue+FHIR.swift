import GateModel

extension FHIRNode {
    /// The value of one of FHIR's choices of types, like "valueString" for "value", and the type that its key says.
    ///
    /// - Returns: `nil` where there is none, and where it is not written as its type asks for, which `StructureCheck`
    ///   reports. An attachment comes without a value: its bytes are for the one who reads it.
    func choice(_ prefix: String) -> (type: String, value: FormValue?, node: FHIRNode)? {
        guard
            let entry = entries.first(where: { entry in
                entry.key.hasPrefix(prefix) && Self.valueTypes.contains(String(entry.key.dropFirst(prefix.count)))
            })
        else { return nil }
        let type = String(entry.key.dropFirst(prefix.count))
        return (type, entry.value.value(of: type), entry.value)
    }

    /// The types of values that R4's questionnaires and responses have.
    static let valueTypes: Set<String> = [
        "Boolean", "Decimal", "Integer", "Date", "DateTime", "Time", "String", "Uri", "Coding", "Quantity", "Reference",
        "Attachment",
    ]

    /// Whether nothing is in it that Gate keeps: extensions alone, or the identifier of a reference.
    func saysNothing(as type: String) -> Bool {
        ["Coding", "Quantity", "Reference"].contains(type) && entries.contains { $0.key != "id" }
            && entries.allSatisfy { $0.key.hasPrefix("_") || Self.unkeptKeys.contains($0.key) }
    }

    static let saysNothing = "There is nothing in it that Gate keeps. Say what people read, as 'display' or 'unit'."

    private static let unkeptKeys: Set<String> = ["id", "extension", "identifier", "userSelected"]

    private func value(of type: String) -> FormValue? {
        switch type {
        case "Boolean": boolean.map(FormValue.boolean)
        case "Decimal": numberText.flatMap(FormDecimal.init).map(FormValue.decimal)
        case "Integer": integer.map(FormValue.integer)
        case "Date": text.flatMap(FormDate.init).map(FormValue.date)
        case "DateTime": text.flatMap(FormDateTime.init).map(FormValue.dateTime)
        case "Time": text.flatMap(FormTime.init).map(FormValue.time)
        case "String": text(of: .string).map(FormValue.string)
        case "Uri": text(of: .uri).map(FormValue.uri)
        case "Coding": coding.map(FormValue.coding)
        case "Quantity": quantity.map(FormValue.quantity)
        case "Reference": reference.map(FormValue.reference)
        default: nil
        }
    }

    /// A text that is written as its type asks for.
    func text(of type: PrimitiveText) -> String? { text.flatMap { type.isWellFormed($0) ? $0 : nil } }

    /// `nil`: no object, or an empty one.
    var coding: FormCoding? {
        guard !entries.isEmpty else { return nil }
        return FormCoding(
            system: self["system"]?.text(of: .uri), version: self["version"]?.text, code: self["code"]?.text(of: .code),
            display: self["display"]?.text)
    }

    private var quantity: FormQuantity? {
        guard !entries.isEmpty else { return nil }
        return FormQuantity(
            value: self["value"]?.numberText.flatMap(FormDecimal.init), comparator: self["comparator"]?.text(of: .code),
            unit: self["unit"]?.text, system: self["system"]?.text(of: .uri), code: self["code"]?.text(of: .code))
    }

    private var reference: FormReference? {
        guard !entries.isEmpty else { return nil }
        return FormReference(
            reference: self["reference"]?.text, type: self["type"]?.text(of: .uri), display: self["display"]?.text)
    }
}

extension FHIRNode {
    /// One answer or the like: `{"valueString": "Anna"}` without its braces.
    static func entry(_ value: FormValue) -> Entry { Entry(key: value.fhirElement, value: FHIRNode(content(value))) }

    private static func content(_ value: FormValue) -> Content {
        switch value {
        case .boolean(let value): .boolean(value)
        case .decimal(let decimal): .number(decimal.text)
        case .integer(let value): .number(String(value))
        case .date(let date): .string(date.text)
        case .dateTime(let moment): .string(moment.text)
        case .time(let time): .string(time.text)
        case .string(let text), .uri(let text): .string(text)
        case .coding(let coding): content(coding)
        case .quantity(let quantity): content(quantity)
        case .reference(let reference):
            object([("reference", reference.reference), ("type", reference.type), ("display", reference.display)])
        case .attachment(let attachment): content(attachment)
        }
    }

    private static func content(_ coding: FormCoding) -> Content {
        object([
            ("system", coding.system), ("version", coding.version), ("code", coding.code), ("display", coding.display),
        ])
    }

    private static func content(_ quantity: FormQuantity) -> Content {
        let value = quantity.value.map { [Entry(key: "value", value: FHIRNode(.number($0.text)))] } ?? []
        let rest = FHIRNode(
            object([
                ("comparator", quantity.comparator), ("unit", quantity.unit), ("system", quantity.system),
                ("code", quantity.code),
            ]))
        return .object(value + rest.entries)
    }

    /// Never the bytes themselves.
    private static func content(_ attachment: FormAttachment) -> Content {
        let before = FHIRNode(object([("contentType", attachment.mediaType), ("url", attachment.digest.urn)]))
        let size = Entry(key: "size", value: FHIRNode(.number(String(attachment.byteCount))))
        let after = FHIRNode(object([("title", attachment.title), ("creation", attachment.creation)]))
        return .object(before.entries + [size] + after.entries)
    }

    private static func object(_ texts: [(key: String, text: String?)]) -> Content {
        .object(texts.compactMap { key, text in text.map { Entry(key, $0) } })
    }
}
