import CommandLineInterface
import Testing

@Suite struct `turnstone keys` {
    @Test func `prints the keys as they are, and what is wrong with the file`() async {
        let run = await CommandLineRun.run(["keys"])
        #expect(run.output == "set: mine\n")
        #expect(run.errors == "turnstone: keys.yaml:3: wrong\n")
        #expect(run.status == .usage)
    }

    @Test(arguments: ["default", "vim", "emacs"]) func `prints a set`(set: String) async {
        let run = await CommandLineRun.run(["keys", set])
        #expect(run.output == "set: \(set)\n")
        #expect(run.status == .success)
    }

    @Test func `names the sets when there is none of that name`() async {
        let run = await CommandLineRun.run(["keys", "nano"])
        #expect(run.output == "")
        #expect(run.errors.contains("There is no set of keys named nano. It takes default, vim, emacs."))
        #expect(run.status == .usage)
    }
}
