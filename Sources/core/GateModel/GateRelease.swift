/// The version of Gate: `gated` and `gatectl` of one version belong together. No other place has it.
public enum GateRelease {
    /// A semantic version. CHANGELOG.md says what changed with each.
    public static let version = "0.9.0"
}
