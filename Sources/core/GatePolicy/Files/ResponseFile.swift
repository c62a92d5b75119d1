public import GateForms

/// A single response, as somebody has it in a file (F-40).
public enum ResponseFile {
    /// - Parameter path: of a response that ends in .json or .yaml.
    /// - Returns: the same as FHIR JSON in UTF-8. Whether it is a right response is up to who reads that.
    /// - Throws: where it is no JSON or no YAML, with line and column.
    public static func json(_ path: String) throws(PolicyError) -> [UInt8] { try node(path).json() }

    /// The same as it is written, with lines and columns.
    public static func node(_ path: String) throws(PolicyError) -> FHIRNode {
        try ResourceText(source: PolicySource.resource(path, readAs: .response)).node()
    }
}
