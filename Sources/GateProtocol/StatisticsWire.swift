import CGateProtocol
import GateModel

// control.proto: what statistics are made of

extension LabelledCount: MessageMapping {
    static var initialise: Initialise<Gate__V1__LabelledCount> { gate__v1__labelled_count__init }

    init(reading message: Gate__V1__LabelledCount) {
        self.init(label: String(reading: message.label), count: message.count)
    }

    func write(to message: inout Gate__V1__LabelledCount, in arena: inout MessageArena) {
        message.label = arena.string(label)
        message.count = count
    }
}

extension MessageArena {
    /// What nothing was counted of is left out.
    mutating func optional(_ histogram: HistogramCounts) -> UnsafeMutablePointer<Gate__V1__Histogram>? {
        histogram.counts.isEmpty ? nil : message(histogram)
    }
}

extension HistogramCounts: MessageMapping {
    static var initialise: Initialise<Gate__V1__Histogram> { gate__v1__histogram__init }

    init(reading message: Gate__V1__Histogram) {
        self.init(
            counts: Array(UnsafeBufferPointer(start: message.counts, count: message.n_counts)), sum: message.sum)
    }

    /// A daemon of before says nothing.
    init(optional message: UnsafeMutablePointer<Gate__V1__Histogram>?) {
        self = message.map { HistogramCounts(reading: $0.pointee) } ?? HistogramCounts()
    }

    func write(to message: inout Gate__V1__Histogram, in arena: inout MessageArena) {
        message.n_counts = counts.count
        message.counts = arena.numbers(counts)
        message.sum = sum
    }
}
