import NetworkLayer
import Presentation
import Testing

@Suite struct HistogramTextTests {
    @Test func `ten values have the lines that HdrHistogram's own program gives them`() {
        var histogram = LatencyHistogram()
        for value in 1...10 { histogram.record(.milliseconds(value)) }
        let lines = HistogramText.text(of: histogram).split(separator: "\n").map(String.init)
        #expect(
            lines == [
                "       Value     Percentile TotalCount 1/(1-Percentile)",
                "       1.000 0.000000000000          1           1.00", "       1.000 0.100000000000          1           1.11",
                "       2.000 0.200000000000          2           1.25", "       3.000 0.300000000000          3           1.43",
                "       4.000 0.400000000000          4           1.67", "       5.000 0.500000000000          5           2.00",
                "       6.000 0.550000000000          6           2.22", "       6.000 0.600000000000          6           2.50",
                "       7.000 0.650000000000          7           2.86", "       7.000 0.700000000000          7           3.33",
                "       8.000 0.750000000000          8           4.00", "       8.000 0.775000000000          8           4.44",
                "       8.000 0.800000000000          8           5.00", "       9.000 0.825000000000          9           5.71",
                "       9.000 0.850000000000          9           6.67", "       9.000 0.875000000000          9           8.00",
                "       9.000 0.887500000000          9           8.89", "       9.000 0.900000000000          9          10.00",
                "      10.000 0.912500000000         10          11.43", "      10.000 1.000000000000         10",
                "#[Mean    =        5.500, StdDeviation   =        2.872]",
                "#[Max     =       10.000, Total count    =           10]",
                "#[Buckets =           22, SubBuckets     =         2048]",
            ])
    }

    @Test func `nothing is no error`() {
        #expect(HistogramText.text(of: LatencyHistogram()).contains("Total count    =            0]"))
    }

    @Test func `of many values each level is there, up to the last`() {
        var histogram = LatencyHistogram()
        for value in 1...100_000 { histogram.record(.microseconds(value)) }
        let lines = HistogramText.text(of: histogram).split(separator: "\n")
        #expect(lines.count > 60 && lines.count < 120)
        #expect(lines.dropLast(3).last?.contains("1.000000000000     100000") == true)
    }
}
