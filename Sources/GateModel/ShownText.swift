extension Unicode.Scalar {
    /// Whether a person sees it where it stands. Not so: control characters, line and paragraph separators, what is not
    /// seen or turns the direction of reading round (`format`, the joiners of emoji among them), and what looks
    /// different everywhere. Any of them could pass for something else.
    public var isShownInALine: Bool {
        // Almost everything is ASCII, where nothing has to be looked up.
        if value < 0x7F { return value >= 0x20 }
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: return false
        default: return true
        }
    }
}
