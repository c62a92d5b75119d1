// swift-tools-version: 6.2
import PackageDescription

// An app of its own, as an app author would write it: only what Gate's package offers to everybody.
let package = Package(
    name: "star-map",
    dependencies: [
        .package(name: "gate", path: "../..")
    ],
    targets: [
        .target(name: "StarMap", dependencies: [.product(name: "GateClient", package: "gate")]),
        .executableTarget(name: "star-map", dependencies: ["StarMap"]),
        .testTarget(
            name: "StarMapTests",
            dependencies: ["StarMap", .product(name: "GateClientTesting", package: "gate")]),
    ]
)
