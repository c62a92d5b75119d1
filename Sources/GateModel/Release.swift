/// Which Gate this is: `gated` and `gatectl` of one release belong together.
public enum Release {
    public static let version = "0.1.0"
}
