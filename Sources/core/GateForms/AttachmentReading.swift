import GateModel

/// Reads an R4 Attachment. It names its bytes by their digest (`urn:sha256:…`), or contains them.
struct AttachmentReading {
    struct Mistake {
        var place: FHIRNode.Place?
        var code: FormIssue.Code
        var message: String
    }

    let node: FHIRNode
    let digest: (([UInt8]) -> AttachmentDigest)?
    private(set) var mistakes: [Mistake] = []
    private(set) var bytes: [UInt8]?

    init(node: FHIRNode, digest: (([UInt8]) -> AttachmentDigest)?) {
        self.node = node
        self.digest = digest
    }

    /// `nil` if something is wrong. Then `mistakes` says what, unless `StructureCheck` reports it.
    mutating func attachment() -> FormAttachment? {
        let named = namedDigest()
        guard mistakes.isEmpty else { return nil }
        let size = node["size"]?.integer.map(Int.init)
        guard node["data"] == nil else { return attachment(withDataNamed: named, size: size) }
        guard let named else {
            // `StructureCheck` has reported a 'url' that can't be read.
            if node["url"] == nil {
                add(node, .required, "The attachment has no bytes. Upload them, and name them by 'url'.")
            }
            return nil
        }
        // Without 'size' it is 0. The program that has the bytes knows how many they are.
        guard let size = node["size"] == nil ? 0 : size, size >= 0 else { return nil }
        guard size <= FormsLimits.attachmentBytes else {
            add(node["size"], .tooLong, Self.tooLarge)
            return nil
        }
        return attachment(named, size)
    }

    /// The digest that `url` names; `nil` if there is no `url`, or a wrong one, which is reported.
    private mutating func namedDigest() -> AttachmentDigest? {
        guard let url = node["url"]?.text(of: .url) else { return nil }
        if let digest = AttachmentDigest(urn: url) { return digest }
        let isDigest = url.hasPrefix("urn:sha256:")
        add(
            node["url"], isDigest ? .value : .notSupported,
            isDigest
                ? "After 'urn:sha256:' there have to be 64 hexadecimal digits in lower case."
                : "Gate fetches no attachments. Upload the bytes, and name them by 'urn:sha256:' and their digest.")
        return nil
    }

    private mutating func attachment(withDataNamed named: AttachmentDigest?, size: Int?) -> FormAttachment? {
        guard let text = node["data"]?.text, let bytes = Base64.bytes(text.utf8, allowing: .whiteSpace) else {
            return nil
        }
        // FHIR's rule att-1.
        if node["contentType"] == nil {
            add(node, .invariant, "An attachment with data needs its type, as 'contentType'.")
        }
        guard let digest else {
            add(node["data"], .notSupported, "An answer can't hold the bytes of a document here. Upload them first.")
            return nil
        }
        guard bytes.count <= FormsLimits.attachmentBytes else {
            add(node["data"], .tooLong, Self.tooLarge)
            return nil
        }
        if let size, size != bytes.count {
            add(node["size"], .value, "The data are \(bytes.count) bytes, but 'size' says \(size). Correct it.")
        }
        let found = digest(bytes)
        if let named, named != found {
            add(node["url"], .value, "The data are not those that 'url' names. Leave one of them out.")
        }
        guard mistakes.isEmpty else { return nil }
        self.bytes = bytes
        return attachment(found, bytes.count)
    }

    private func attachment(_ digest: AttachmentDigest, _ size: Int) -> FormAttachment {
        FormAttachment(
            mediaType: node["contentType"]?.text(of: .code), title: node["title"]?.text(of: .string), byteCount: size,
            digest: digest, creation: node["creation"]?.text(of: .dateTime))
    }

    private mutating func add(_ node: FHIRNode?, _ code: FormIssue.Code, _ message: String) {
        mistakes.append(Mistake(place: node?.place, code: code, message: message))
    }

    private static let tooLarge = "The attachment is larger than \(FormsLimits.attachmentBytes >> 20) MiB."
}
