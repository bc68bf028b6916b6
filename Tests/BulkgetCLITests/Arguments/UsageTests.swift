import Testing

@testable import BulkgetCLI

struct UsageTests {
  @Test func helpOfBulkget() async {
    let recording = RecordingConsole()
    #expect(await World(recording).run("--help") == 0)
    #expect(recording.errors == "")
    #expect(
      recording.output == """
        bulkget: downloads what a manifest lists, in bulk and exactly

        Usage: bulkget COMMAND

        Commands:
          run MANIFEST...           plan, download, verify, place, write the report
          plan MANIFEST...          show what run would do; changes nothing on disk, no
                                    network
          verify [MANIFEST...]      hash what is cached and placed again, and say what
                                    is damaged
          lock MANIFEST             fetch what has no strong digest and record it in the
                                    lock file
          cache                     show what is in the cache, and remove it
          schema NAME               print the JSON Schema of manifest, plan or report
          help [COMMAND...]         say how a command is used

        Help:
          -h, --help                print this
          -V, --version             print the version

        Examples:
          bulkget plan manifest.yaml
              show what would be done
          bulkget run manifest.yaml --out vendor
              do it

        """)
  }

  @Test func helpOfBulkgetRun() async {
    let recording = RecordingConsole()
    #expect(await World(recording).run("run", "--help") == 0)
    #expect(recording.errors == "")
    #expect(
      recording.output == """
        bulkget run: plan, download, verify, place, write the report

        Usage: bulkget run [OPTIONS] MANIFEST...

        Arguments:
          MANIFEST...               a manifest in YAML or JSON; - reads standard input

        Choosing files:
              --only GLOB           only ids that match; * matches any text, slashes too
                                    [repeatable]
              --tag T               only files with this tag [repeatable]
              --exclude-tag T       no files with this tag, whatever else is chosen
                                    [repeatable]
              --platform P          files for os/architecture, or all [default: this
                                    machine's] [repeatable]

        Places:
              --cache DIR           the cache's directory [default:
                                    $XDG_CACHE_HOME/bulkget or ~/.cache/bulkget]
              --read-cache DIR      a further cache, used as it is and never written
                                    [repeatable]
              --out DIR             where dest paths are placed [default: .]
              --link MODE           how files are placed: auto (reflink, else copy),
                                    reflink, hardlink, symlink or copy [default: auto]
              --durable             flush files and directories to the disk before they
                                    count
              --report FILE         the JSON report; - is standard output [default:
                                    bulkget-report.json]
              --no-report           write no report

        What is trusted:
              --locked              every file must have a digest of sha256 or stronger,
                                    in the manifest or its lock file
              --offline             no network: what is not cached fails
              --refresh             ask the servers about every cached file
              --force               download everything again
              --verify              hash cached and placed files instead of trusting
                                    size and modification time

        Transfers:
          -j, --jobs N              downloads at once, 1 to 1024 [default: 16]
              --connections-per-host N
                                    connections to one host at once [default: as many as
                                    jobs]
              --retries N           tries after the first, per URL [default: 5]
              --retry-wait-max S    longest wait before a try; a server that asks for
                                    longer has failed [default: 60s]
              --connect-timeout S   no connection for so long ends a try [default: 15s]
              --stall-timeout S     less than 1 KiB for so long ends a try [default:
                                    30s]
              --max-time S          for the whole run; what is left then is cancelled
              --limit-rate RATE     bytes a second for all downloads together, such as
                                    20M
              --max-file-size SIZE  a larger file is cut off and fails
              --fail-fast           stop at the first failure
              --cacert FILE         trusted certificates in PEM [default:
                                    CURL_CA_BUNDLE, SSL_CERT_FILE, else the system's]
              --netrc               take credentials from ~/.netrc
              --netrc-file FILE     take credentials from a file written like .netrc
              --proxy URL           the proxy for every host that no_proxy leaves to it
                                    [default: http_proxy, https_proxy]

        Output:
          -n, --dry-run             the same as bulkget plan
              --json                print JSON on standard output
              --check               exit with 3 when there is something to do; asking
                                    servers doesn't count
              --probe               ask the servers for sizes that are not known; reads
                                    no file
          -q, --quiet               errors only
          -v, --verbose             say more: every file, every retry
              --color WHEN          auto, always or never [default: auto]

        Help:
          -h, --help                print this
          -V, --version             print the version

        Every option can also be given in the environment, where the command line wins:
        BULKGET_JOBS=8 for --jobs 8, BULKGET_OFFLINE=1 or 0 for a flag. An option that
        can be repeated takes a value a line there. Times take s, m, h or d; sizes take
        K, M, G, T or Ki, Mi, Gi, Ti.

        Exit status:
          0              everything wanted is in place
          1              a file that is not optional failed or was cancelled
          2              wrong usage, or an error in a manifest or in the configuration
          4              the cache or the report cannot be used, or the disk is full
          129, 130, 143  ended by SIGHUP, SIGINT, SIGTERM

        Examples:
          bulkget run manifest.yaml
              fetch and place everything
          bulkget run manifest.yaml -j 32 --out vendor --only 'model/*'
              only ids below model/, 32 at once, placed in vendor
          bulkget run a.yaml b.yaml --offline --report -
              from the cache alone, report to standard output

        """)
  }

  @Test func helpOfBulkgetPlan() async {
    let recording = RecordingConsole()
    #expect(await World(recording).run("plan", "--help") == 0)
    #expect(recording.errors == "")
    #expect(
      recording.output == """
        bulkget plan: show what run would do; changes nothing on disk, no network

        Usage: bulkget plan [OPTIONS] MANIFEST...

        The other options of run are accepted too, so that run can be replaced by plan
        in any command line; those about transfers count for --probe.

        Arguments:
          MANIFEST...               a manifest in YAML or JSON; - reads standard input

        Choosing files:
              --only GLOB           only ids that match; * matches any text, slashes too
                                    [repeatable]
              --tag T               only files with this tag [repeatable]
              --exclude-tag T       no files with this tag, whatever else is chosen
                                    [repeatable]
              --platform P          files for os/architecture, or all [default: this
                                    machine's] [repeatable]

        Places:
              --cache DIR           the cache's directory [default:
                                    $XDG_CACHE_HOME/bulkget or ~/.cache/bulkget]
              --read-cache DIR      a further cache, used as it is and never written
                                    [repeatable]
              --out DIR             where dest paths are placed [default: .]
              --link MODE           how files are placed: auto (reflink, else copy),
                                    reflink, hardlink, symlink or copy [default: auto]

        What is trusted:
              --locked              every file must have a digest of sha256 or stronger,
                                    in the manifest or its lock file
              --offline             no network: what is not cached fails
              --refresh             ask the servers about every cached file
              --force               download everything again
              --verify              hash cached and placed files instead of trusting
                                    size and modification time

        Output:
              --probe               ask the servers for sizes that are not known; reads
                                    no file
              --json                print JSON on standard output
              --check               exit with 3 when there is something to do; asking
                                    servers doesn't count
          -q, --quiet               errors only
          -v, --verbose             say more: every file, every retry
              --color WHEN          auto, always or never [default: auto]

        Help:
          -h, --help                print this
          -V, --version             print the version

        Every option can also be given in the environment, where the command line wins:
        BULKGET_JOBS=8 for --jobs 8, BULKGET_OFFLINE=1 or 0 for a flag. An option that
        can be repeated takes a value a line there. Times take s, m, h or d; sizes take
        K, M, G, T or Ki, Mi, Gi, Ti.

        Signs:
          +  download
          >  resume an interrupted download
          ~  rehash: hash what is there, and download it when it is wrong
          ?  revalidate: ask the server, and download it when it has changed
          *  place what is cached
          =  keep (shown with --verbose)
          .  skip what is not selected (shown with --verbose)
          !  will fail, and why

        Exit status:
          0  there is a plan
          2  wrong usage, or an error in a manifest or in the configuration
          3  with --check: there is something to do, or something that will fail
          4  the cache or standard output cannot be used

        Examples:
          bulkget plan manifest.yaml -v
              also what is kept, with the URLs
          bulkget plan manifest.yaml --check > plan.txt
              exit status 3 when there is something to do

        """)
  }

  @Test func helpOfBulkgetCache() async {
    let recording = RecordingConsole()
    #expect(await World(recording).run("cache", "--help") == 0)
    #expect(recording.errors == "")
    #expect(
      recording.output == """
        bulkget cache: show what is in the cache, and remove it

        Usage: bulkget cache COMMAND

        Commands:
          dir                       print the cache's directory
          list                      list the cached files
          path ID                   print the path of a cached file
          prune                     remove what is not wanted any more
          remove ID                 remove a cached file and what is kept of its
                                    download
          size                      count files and bytes, partial ones too

        Help:
          -h, --help                print this
          -V, --version             print the version

        Examples:
          bulkget cache size
              how much room the cache takes
          bulkget cache prune --max-size 20G --older-than 30d
              make room, oldest first
          tar xf "$(bulkget cache path 1001)"
              use a cached file

        """)
  }

  @Test func helpOfBulkgetCachePath() async {
    let recording = RecordingConsole()
    #expect(await World(recording).run("cache", "path", "--help") == 0)
    #expect(recording.errors == "")
    #expect(
      recording.output == """
        bulkget cache path: print the path of a cached file

        Usage: bulkget cache path [OPTIONS] ID

        Arguments:
          ID                        the id that the manifest gives the file

        Options:
              --cache DIR           the cache's directory [default:
                                    $XDG_CACHE_HOME/bulkget or ~/.cache/bulkget]
              --namespace NAME      the namespace of the id
              --json                print JSON on standard output
              --color WHEN          auto, always or never [default: auto]

        Help:
          -h, --help                print this
          -V, --version             print the version

        Every option can also be given in the environment, where the command line wins:
        BULKGET_CACHE=DIR for --cache.

        Exit status:
          0  the file is in the cache
          1  it is not

        """)
  }

  @Test func helpOfBulkgetSchema() async {
    let recording = RecordingConsole()
    #expect(await World(recording).run("schema", "--help") == 0)
    #expect(recording.errors == "")
    #expect(
      recording.output == """
        bulkget schema: print the JSON Schema of manifest, plan or report

        Usage: bulkget schema [OPTIONS] NAME

        Arguments:
          NAME                      manifest, plan or report

        Output:
              --color WHEN          auto, always or never [default: auto]

        Help:
          -h, --help                print this
          -V, --version             print the version

        Every option can also be given in the environment, where the command line wins:
        BULKGET_COLOR=WHEN for --color.

        Examples:
          bulkget schema manifest > manifest.schema.json
              for editors that check while you type

        """)
  }

  @Test func helpOfBulkgetHelp() async {
    let recording = RecordingConsole()
    #expect(await World(recording).run("help", "--help") == 0)
    #expect(recording.errors == "")
    #expect(
      recording.output == """
        bulkget help: say how a command is used

        Usage: bulkget help [COMMAND...]

        Arguments:
          [COMMAND...]              the command to explain

        Help:
          -h, --help                print this
          -V, --version             print the version

        """)
  }

  @Test func noHelpIsWiderThanATerminal() {
    for command in allCommands(below: CommandTable.root) {
      for line in Usage(command: command).text.split(separator: "\n") {
        #expect(line.count <= 80, "\(command.name): \(line)")
      }
    }
  }

  @Test func everyOptionThatIsShownIsExplained() {
    for command in allCommands(below: CommandTable.root) {
      for option in command.options {
        #expect(!option.help.isEmpty && !option.help.hasSuffix("."))
        #expect(option.name.allSatisfy { $0 == "-" || $0.isLowercase })
      }
    }
  }

  @Test func noCommandHasTwoOptionsOfOneName() {
    for command in allCommands(below: CommandTable.root) {
      let names = command.options.map(\.name)
      #expect(Set(names).count == names.count, "\(command.name)")
      let letters = command.options.compactMap(\.letter) + ["h", "V"]
      #expect(Set(letters).count == letters.count, "\(command.name)")
    }
  }

  @Test func exclusionsAndRequirementsNameOptionsThatExist() {
    for command in allCommands(below: CommandTable.root) {
      let names = Set(command.options.map(\.name))
      for exclusion in command.exclusions {
        #expect(names.contains(exclusion.first) && names.contains(exclusion.second))
      }
      for requirement in command.requirements {
        #expect(names.contains(requirement.option) && names.contains(requirement.needed))
      }
    }
  }

  /// The help's own examples must be right.
  @Test func everyExampleCanBeRead() throws {
    for command in allCommands(below: CommandTable.root) {
      for example in command.examples where example.line.hasPrefix("bulkget ") {
        let words = example.line.split(separator: " ").dropFirst().map {
          $0.filter { $0 != "'" }
        }
        let redirection = words.firstIndex(of: ">") ?? words.endIndex
        _ = try ArgumentReader(environment: [:]).read(Array(words[..<redirection]))
      }
    }
  }

  private func allCommands(below command: Command) -> [Command] {
    [command] + command.subcommands.flatMap(allCommands)
  }
}
