import CLibFuzzer
import FuzzTargets
import GateScripting
import Glibc

// What `Tests/Fuzz/run` starts, target by target; libFuzzer has the main function, and reads the arguments.
//
// GATE_FUZZ_TARGET names the target. In the environment, for libFuzzer starts itself anew for some of its work.
// GATE_FUZZ_SEEDS, a folder: write the target's first inputs there, and end.

private let target: FuzzTarget = {
    let name = environment("GATE_FUZZ_TARGET") ?? ""
    if let target = FuzzTarget.named(name) { return target }
    // Their table: name, most bytes of an input, dictionary.
    for target in FuzzTarget.all { print(target.name, target.maximumBytes, target.dictionary ?? "-") }
    exit(name.isEmpty ? 0 : 64)
}()

private func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
}

@_cdecl("LLVMFuzzerInitialize")
public func initialise(
    _ count: UnsafeMutablePointer<CInt>?,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>?
) -> CInt {
    let target = target
    guard let folder = environment("GATE_FUZZ_SEEDS") else { return 0 }
    for (index, seed) in target.seeds(200).enumerated() {
        guard let file = fopen("\(folder)/seed-\(index)", "we"), fwrite(seed, 1, seed.count, file) == seed.count,
            fclose(file) == 0
        else {
            perror(folder)
            exit(74)
        }
    }
    exit(0)
}

/// One input. A broken promise ends the process like a trap, so that libFuzzer keeps the input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do {
        try target.check(Array(UnsafeBufferPointer(start: start, count: count)))
    } catch {
        print("== \(target): a promise is broken: \(error)")
        fflush(nil)
        abort()
    }
    return 0
}

/// Mostly libFuzzer's own changes; now and then an input that is made from nothing, and has a shape.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutate(
    _ start: UnsafeMutablePointer<UInt8>?, _ count: Int, _ maximumCount: Int, _ seed: CUnsignedInt
) -> Int {
    guard seed % 128 == 0, let start else { return LLVMFuzzerMutate(start, count, maximumCount) }
    var random = SeededGenerator(seed: UInt64(seed))
    let input = target.generate(&random).prefix(maximumCount)
    for (index, byte) in input.enumerated() { start[index] = byte }
    return input.count
}
