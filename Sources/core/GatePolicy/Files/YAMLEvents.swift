import CYAML

/// Reads a YAML text as a series of events. Only this class knows libyaml.
final class YAMLEvents {
    /// A place in the text. Lines and columns count from 1, columns in Unicode scalars.
    struct Mark: Hashable {
        var line: Int
        var column: Int
    }

    struct Event {
        enum Kind: Hashable {
            case streamStart, streamEnd, documentStart, documentEnd
            /// A reference to an anchor, by its name.
            case alias(String)
            case scalar(String, isQuoted: Bool)
            case listStart, mappingStart
            /// The end of a list, or of a mapping.
            case end
        }

        var kind: Kind
        var mark: Mark
        var anchor: String?
        var tag: String?

        fileprivate var depthChange: Int {
            switch kind {
            case .listStart, .mappingStart: 1
            case .end: -1
            case _: 0
            }
        }
    }

    /// None of our files is nested as deeply. A deeper text would only take time.
    private static let maximumDepth = 1000

    private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    private let isUsable: Bool
    private var depth = 0

    /// - Parameter text: the text in UTF-8. It must outlive this object.
    init(_ text: UnsafeBufferPointer<UInt8>) {
        isUsable = yaml_parser_initialize(parser) == 1
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, text.baseAddress, text.count)
    }

    deinit {
        if isUsable { yaml_parser_delete(parser) }
        parser.deallocate()
    }

    func next() throws(YAMLFault) -> Event {
        guard isUsable else { throw .notEnoughMemory }
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else { throw fault }
        defer { yaml_event_delete(&event) }
        let found = Event(event)
        depth += found.depthChange
        guard depth <= Self.maximumDepth else { throw .tooDeep(found.mark) }
        return found
    }

    /// - Returns: `nil` at the end of a list or of a mapping.
    func nextInside() throws(YAMLFault) -> Event? {
        let event = try next()
        return event.kind == .end ? nil : event
    }

    /// Skips everything up to the end of what this event begins.
    func skip(_ event: Event) throws(YAMLFault) {
        let outer = depth - event.depthChange
        while depth > outer { _ = try next() }
    }

    private var fault: YAMLFault {
        let text = parser.pointee.problem.map { String(cString: $0) } ?? "the text is not complete"
        switch parser.pointee.error {
        case YAML_MEMORY_ERROR: return .notEnoughMemory
        case YAML_READER_ERROR: return .unreadable(text)
        case _:
            let context = parser.pointee.context.map {
                YAMLFault.Context(text: String(cString: $0), mark: Mark(parser.pointee.context_mark))
            }
            return .syntax(text, Mark(parser.pointee.problem_mark), context)
        }
    }
}

/// Why a text is not YAML, or not YAML that Gate reads.
enum YAMLFault: Error {
    /// What was being read, and where that began.
    struct Context {
        var text: String
        var mark: YAMLEvents.Mark
    }

    case syntax(String, YAMLEvents.Mark, Context?)
    case duplicateKey(String, firstAt: YAMLEvents.Mark)
    case secondDocument(YAMLEvents.Mark)
    case tooDeep(YAMLEvents.Mark)
    case unreadable(String)
    case notEnoughMemory
}

extension YAMLEvents.Mark {
    fileprivate init(_ mark: yaml_mark_t) {
        self.init(line: mark.line + 1, column: mark.column + 1)
    }
}

extension YAMLEvents.Event {
    fileprivate init(_ event: yaml_event_t) {
        var (anchor, tag): (UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt8>?) = (nil, nil)
        switch event.type {
        case YAML_STREAM_START_EVENT: kind = .streamStart
        case YAML_DOCUMENT_START_EVENT: kind = .documentStart
        case YAML_DOCUMENT_END_EVENT: kind = .documentEnd
        case YAML_ALIAS_EVENT: kind = .alias(String(cString: event.data.alias.anchor))
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            let isPlain = scalar.style == YAML_PLAIN_SCALAR_STYLE
            let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            kind = .scalar(String(decoding: bytes, as: UTF8.self), isQuoted: !isPlain)
            (anchor, tag) = (scalar.anchor, scalar.tag)
        case YAML_SEQUENCE_START_EVENT:
            kind = .listStart
            (anchor, tag) = (event.data.sequence_start.anchor, event.data.sequence_start.tag)
        case YAML_MAPPING_START_EVENT:
            kind = .mappingStart
            (anchor, tag) = (event.data.mapping_start.anchor, event.data.mapping_start.tag)
        case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: kind = .end
        // The end of the stream, and the empty events that libyaml returns after it.
        case _: kind = .streamEnd
        }
        mark = YAMLEvents.Mark(event.start_mark)
        self.anchor = anchor.map { String(cString: $0) }
        self.tag = tag.map { String(cString: $0) }
    }
}
