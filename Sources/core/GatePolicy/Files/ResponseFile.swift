public import GateForms

/// Reads a single response from a file.
public enum ResponseFile {
    /// `path` ends in .json or .yaml. Returns FHIR JSON in UTF-8, whose content is not checked.
    ///
    /// - Throws: a problem with line and column if the file is not JSON or YAML.
    public static func json(_ path: String) throws(PolicyError) -> [UInt8] { try node(path).json() }

    /// The response as a tree, with the lines and columns at which it is written.
    public static func node(_ path: String) throws(PolicyError) -> FHIRNode {
        try ResourceText(source: PolicySource.resource(path, readAs: .response)).node()
    }
}
