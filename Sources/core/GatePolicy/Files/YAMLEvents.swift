import CYAML

/// The parts of a text in YAML, one event after the other. The only place that knows libyaml.
final class YAMLEvents {
    struct Mark: Hashable {
        /// The line, from 1.
        var line: Int
        /// The column, from 1, in Unicode scalars.
        var column: Int
    }

    struct Event {
        enum Kind: Hashable {
            case streamStart, streamEnd, documentStart, documentEnd
            /// The name of an anchor that stands elsewhere.
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

    /// More than any file of ours has: what comes would only take time.
    private static let maximumDepth = 1000

    private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    private let isUsable: Bool
    private var depth = 0

    /// - Parameter text: in UTF-8. It must outlive this object.
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

    /// Goes on behind what an event begins.
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

/// Why a text is no YAML, or none that is read here.
enum YAMLFault: Error {
    /// The thing that was being read, and where it began.
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
        // Behind the end of the stream there is nothing, for ever.
        case _: kind = .streamEnd
        }
        mark = YAMLEvents.Mark(event.start_mark)
        self.anchor = anchor.map { String(cString: $0) }
        self.tag = tag.map { String(cString: $0) }
    }
}
