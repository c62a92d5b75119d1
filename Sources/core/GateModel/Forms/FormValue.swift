/// The value of one answer, with its type.
@nonexhaustive
public enum FormValue: Hashable, Sendable {
    /// A yes or no.
    case boolean(Bool)
    /// A decimal number, exactly as it was written.
    case decimal(FormDecimal)
    /// A whole number.
    case integer(Int32)
    /// A date as exactly as it is known.
    case date(FormDate)
    /// A moment as exactly as it is known.
    case dateTime(FormDateTime)
    /// A time of day.
    case time(FormTime)
    /// A text: the answer to a question of the type string or text, or something typed into an open choice.
    case string(String)
    /// A web address.
    case uri(String)
    /// A code of a code system, as choices have it.
    case coding(FormCoding)
    /// A number with a unit.
    case quantity(FormQuantity)
    /// A reference to a FHIR resource.
    case reference(FormReference)
    /// A document.
    case attachment(FormAttachment)
}

extension FormValue {
    /// Compares a text and a web address by their bytes. They can be much longer than the texts of other values, and
    /// Swift takes long to find out whether two texts are only written differently in Unicode.
    public static func == (left: FormValue, right: FormValue) -> Bool {
        switch (left, right) {
        case (.boolean(let ours), .boolean(let theirs)): ours == theirs
        case (.decimal(let ours), .decimal(let theirs)): ours == theirs
        case (.integer(let ours), .integer(let theirs)): ours == theirs
        case (.date(let ours), .date(let theirs)): ours == theirs
        case (.dateTime(let ours), .dateTime(let theirs)): ours == theirs
        case (.time(let ours), .time(let theirs)): ours == theirs
        case (.string(let ours), .string(let theirs)), (.uri(let ours), .uri(let theirs)): ours.hasBytes(of: theirs)
        case (.coding(let ours), .coding(let theirs)): ours == theirs
        case (.quantity(let ours), .quantity(let theirs)): ours == theirs
        case (.reference(let ours), .reference(let theirs)): ours == theirs
        case (.attachment(let ours), .attachment(let theirs)): ours == theirs
        case (.boolean, _), (.decimal, _), (.integer, _), (.date, _), (.dateTime, _), (.time, _), (.string, _),
            (.uri, _), (.coding, _), (.quantity, _), (.reference, _), (.attachment, _):
            false
        }
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(fhirElement)
        switch self {
        case .boolean(let isTrue): hasher.combine(isTrue)
        case .decimal(let number): hasher.combine(number)
        case .integer(let number): hasher.combine(number)
        case .date(let date): hasher.combine(date)
        case .dateTime(let moment): hasher.combine(moment)
        case .time(let time): hasher.combine(time)
        case .string(let text), .uri(let text): text.hashBytes(into: &hasher)
        case .coding(let coding): hasher.combine(coding)
        case .quantity(let quantity): hasher.combine(quantity)
        case .reference(let reference): hasher.combine(reference)
        case .attachment(let attachment): hasher.combine(attachment)
        }
    }
}

/// A code of a code system, and its text.
public struct FormCoding: Hashable, Sendable {
    /// The system that defines the code, as a URL.
    public var system: String?
    /// The version of the system.
    public var version: String?
    /// The code.
    public var code: String?
    /// The text that people read.
    public var display: String?

    public init(system: String? = nil, version: String? = nil, code: String? = nil, display: String? = nil) {
        self.system = system
        self.version = version
        self.code = code
        self.display = display
    }

    /// Whether both mean the same: by system and code, or, if neither has a code, by system and what people read.
    package func isSame(as other: FormCoding) -> Bool {
        guard code == nil, other.code == nil else { return system == other.system && code == other.code }
        return system == other.system && display == other.display
    }
}

/// A measured amount, with its unit.
public struct FormQuantity: Hashable, Sendable {
    /// `<`, `<=`, `>=` or `>` if the real value is only known to be less or greater than `value`; otherwise `nil`.
    public var comparator: String?
    /// The number.
    public var value: FormDecimal?
    /// The unit that people read.
    public var unit: String?
    /// The system that defines the code of the unit, as a URL.
    public var system: String?
    /// The code of the unit.
    public var code: String?

    public init(
        value: FormDecimal? = nil, comparator: String? = nil, unit: String? = nil, system: String? = nil,
        code: String? = nil
    ) {
        self.value = value
        self.comparator = comparator
        self.unit = unit
        self.system = system
        self.code = code
    }
}

/// A reference to a FHIR resource, like "Patient/17".
public struct FormReference: Hashable, Sendable {
    /// The address of the resource; `nil` if it is not known.
    public var reference: String?
    /// The type of the resource, like "Patient".
    public var type: String?
    /// The text that people read.
    public var display: String?

    public init(reference: String? = nil, type: String? = nil, display: String? = nil) {
        self.reference = reference
        self.type = type
        self.display = display
    }
}

/// A document. Its bytes are kept elsewhere, under their digest, and only once even if several answers use them.
public struct FormAttachment: Hashable, Sendable {
    /// The media type, like "image/png".
    public var mediaType: String?
    /// The title that people read, which is the name of the file.
    public var title: String?
    /// The number of bytes of the document.
    public var byteCount: Int
    /// The digest under which the device keeps the document.
    public var digest: AttachmentDigest
    /// When the document was made, as it was written.
    public var creation: String?

    /// The largest document, in bytes.
    public static let maximumByteCount = 3 << 20

    public init(
        mediaType: String?, title: String? = nil, byteCount: Int, digest: AttachmentDigest, creation: String? = nil
    ) {
        self.mediaType = mediaType
        self.title = title
        self.byteCount = byteCount
        self.digest = digest
        self.creation = creation
    }
}

/// The SHA-256 of a document's bytes, which names the document.
public struct AttachmentDigest: Hashable, Sendable {
    /// The digest itself, 32 bytes.
    public var bytes: [UInt8]

    package static let byteCount = 32

    /// `nil` if there are not 32 bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }
}
