extension String {
    /// Whether it is shown and journalled as one line of what it says: no control characters, no line or paragraph
    /// separators, and nothing that turns the direction of reading round, since any of them could pass for something
    /// else.
    var isSingleLine: Bool {
        !unicodeScalars.contains { scalar in
            let properties = scalar.properties
            return [.control, .lineSeparator, .paragraphSeparator].contains(properties.generalCategory)
                || properties.isBidiControl
        }
    }
}
