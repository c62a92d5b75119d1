/// One answer, with its type.
@nonexhaustive
public enum FormValue: Hashable, Sendable {
    /// A yes or no.
    case boolean(Bool)
    /// A decimal number, as exact as it was written.
    case decimal(FormDecimal)
    /// A whole number.
    case integer(Int32)
    /// A date, as exact as it is known.
    case date(FormDate)
    /// A moment, as exact as it is known.
    case dateTime(FormDateTime)
    /// A time of day.
    case time(FormTime)
    /// A text: of the types string and text, and what is typed into an open choice.
    case string(String)
    /// A web address.
    case uri(String)
    /// A code of a system.
    case coding(FormCoding)
    /// A number with a unit.
    case quantity(FormQuantity)
    /// A reference to another resource.
    case reference(FormReference)
    /// A document.
    case attachment(FormAttachment)
}

/// A code of a code system.
public struct FormCoding: Hashable, Sendable {
    /// The system that defines the code, as a URL.
    public var system: String?
    /// The version of the system.
    public var version: String?
    /// The code.
    public var code: String?
    /// The text that people read.
    public var display: String?

    /// Makes a coding of these values.
    public init(system: String? = nil, version: String? = nil, code: String? = nil, display: String? = nil) {
        self.system = system
        self.version = version
        self.code = code
        self.display = display
    }

    /// Whether it means the same: system and code; where neither has a code, what people read.
    package func isSame(as other: FormCoding) -> Bool {
        guard code == nil, other.code == nil else { return system == other.system && code == other.code }
        return system == other.system && display == other.display
    }
}

/// A measured amount.
public struct FormQuantity: Hashable, Sendable {
    /// `<`, `<=`, `>=` or `>`: the real value is so much less or more.
    public var comparator: String?
    /// The number.
    public var value: FormDecimal?
    /// The unit that people read.
    public var unit: String?
    /// The system that defines the code of the unit, as a URL.
    public var system: String?
    /// The code of the unit.
    public var code: String?

    /// Makes a quantity of these values.
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

/// Something that is somewhere else: "Patient/17".
public struct FormReference: Hashable, Sendable {
    /// The address of the resource.
    public var reference: String?
    /// The type of the resource, like "Patient".
    public var type: String?
    /// The text that people read.
    public var display: String?

    /// Makes a reference of these values.
    public init(reference: String? = nil, type: String? = nil, display: String? = nil) {
        self.reference = reference
        self.type = type
        self.display = display
    }
}

/// A document. Its bytes are kept elsewhere, once, under their digest.
public struct FormAttachment: Hashable, Sendable {
    /// "image/png".
    public var mediaType: String?
    /// The title that people read: the name of the file.
    public var title: String?
    /// The number of bytes of the document.
    public var byteCount: Int
    /// The digest by which the device keeps the document.
    public var digest: AttachmentDigest
    /// When it was made, as written.
    public var creation: String?

    /// So many bytes a document has at most.
    public static let maximumByteCount = 3 << 20

    /// Makes an attachment of these values.
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

/// The SHA-256 of the bytes of an attachment, which names them.
public struct AttachmentDigest: Hashable, Sendable {
    /// 32.
    public var bytes: [UInt8]

    /// The number of bytes of a digest.
    package static let byteCount = 32

    /// `nil`: not 32 bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }
}
