/// The version of Gate, which is written nowhere else. `gated` and `gatectl` of the same version belong together.
public enum GateRelease {
    /// A semantic version. CHANGELOG.md says what changed in each.
    public static let version = "0.9.0"
}
