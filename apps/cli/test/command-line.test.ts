import { describe, expect, it } from "vitest";
import manifest from "../package.json" with { type: "json" };
import type { DescribeRequest } from "../src/describe/describe-command.ts";
import { createProgram } from "../src/program.ts";
import type { ManagerOptions } from "../src/cluster/manager-options.ts";
import type { RolloutRequest } from "../src/rollout/rollout-options.ts";
import type { UpOptions } from "../src/up/up-options.ts";

/** Runs a command line; `up`, `manager` and `rollout` themselves are not run but recorded. */
const capstan = async (line: string) => {
  const said = { out: "", err: "" };
  const ran: (UpOptions | ManagerOptions | RolloutRequest | DescribeRequest)[] = [];
  const status = await createProgram({
    up: async (options) => {
      ran.push(options);
      return 0;
    },
    manager: async (options) => {
      ran.push(options);
      return 0;
    },
    describe: async (request) => {
      ran.push(request);
      return 0;
    },
    rollout: async (options) => {
      ran.push(options);
      return 7;
    },
    write: (text) => void (said.out += text),
    writeError: (text) => void (said.err += text),
  }).run(line.split(" ").filter((word) => word !== ""));
  return { ...said, status, ran };
};

describe("a command line that is wrong", () => {
  it.each([
    ["away", /unknown command 'away'/],
    ["up --frobnicate", /unknown option '--frobnicate'/],
    ["up cluster.yaml", /too many arguments for 'up'/],
    ["up -f", /'-f, --filename <file>' argument missing/],
    ["up --timeout soon", /--timeout.* must be a duration such as 90s, 5m or 1h30m/],
    ["up --port 70000", /--port.* must be a port from 0 to 65535/],
    ["up --until tired", /--until.*Allowed choices are running/],
    ["up -o xml", /--output.*Allowed choices are text, json/],
    ["up --log-level loud", /--log-level.*Allowed choices are debug/],
    ["rollout restart", /missing required argument 'machinedeployment\/NAME\|kubeadmcontrolplane\/NAME\|/],
    ["rollout restart workers", /must be machinedeployment\/NAME/],
    ["rollout restart workers", /\(see capstan rollout restart --help\)/],
    ["get clusters", /\(see capstan get --help\)/],
    ["rollout restart md/a b", /md\/a b: must be machinedeployment\/NAME/],
    ["rollout restart machineset/workers", /must be machinedeployment\/NAME/],
    ["rollout stop md/workers", /unknown command 'stop'/],
    ["rollout undo md/workers --to-revision last", /--to-revision.* must be a whole number/],
    ["rollout status md/workers --timeout soon", /--timeout.* must be a duration/],
    ["up --data-dir=", /--data-dir.* must name a folder/],
    ["apiserver --data-dir=", /--data-dir.* must name a folder/],
    ["describe cluster a --data-dir=", /--data-dir.* must name a folder/],
    ["rollout pause md/a --data-dir=", /--data-dir.* must name a folder/],
    ["backup --data-dir=", /--data-dir.* must name a folder/],
    ["describe", /missing required argument 'kind'/],
    ["describe cluster", /missing required argument 'name'/],
    ["describe md/a/b", /missing required argument 'name'/],
    ["describe md/a b", /missing required argument 'name'/],
    ["completion", /missing required argument 'shell'/],
    ["completion tcsh", /Allowed choices are bash, zsh, fish/],
  ])("capstan %s: is refused on standard error", async (line, words) => {
    const { status, out, err, ran } = await capstan(line);
    expect(err).toMatch(words);
    expect({ out, ran }).toEqual({ out: "", ran: [] });
    expect(status).not.toBe(0);
  });
});

describe("--diagnostics-address", () => {
  it.each([
    ["", { host: "127.0.0.1", port: 8443 }],
    [":9000", { host: undefined, port: 9000 }],
    ["[::1]:0", { host: "::1", port: 0 }],
    ["off", undefined],
  ])("%s: is %o", async (address, diagnostics) => {
    const { ran } = await capstan(`manager ${address === "" ? "" : `--diagnostics-address ${address}`}`);
    expect(ran).toMatchObject([{ diagnostics }]);
  });
});

describe("help", () => {
  it.each([
    ["--help", ["up [options]", "completion <shell>"]],
    ["up --help", ["--filename", "--simulate", "--data-dir", "--until", "LINODE_TOKEN", "Examples:"]],
    ["rollout --help", ["restart", "pause", "resume", "status", "history", "undo"]],
    ["rollout undo --help", ["--to-revision", "--kubeconfig", "--data-dir", "--namespace", "Example:"]],
    ["rollout status --help", ["--no-watch", "--timeout", "--output"]],
    ["completion --help", ["source <(capstan completion bash)"]],
  ])("capstan %s", async (line, words) => {
    const { status, out, err } = await capstan(line);
    for (const word of words) expect(out).toContain(word);
    expect({ status, err }).toEqual({ status: 0, err: "" });
  });
});

it("version prints one object of JSON or YAML", async () => {
  const { out: json } = await capstan("version -o json");
  expect((await capstan("version -o yaml")).out).toBe(`capstan: ${manifest.version}\nnode: ${process.versions.node}\n`);
  expect(JSON.parse(json)).toEqual({ capstan: manifest.version, node: process.versions.node });
});

it.each(["version", "--version", "-v", "-V"])("%s prints the version", async (line) => {
  const { status, out } = await capstan(line);
  expect({ status, out }).toEqual({ status: 0, out: expect.stringContaining(manifest.version) as string });
});

it("prints its help and succeeds without a command", async () => {
  const [bare, help] = [await capstan(""), await capstan("--help")];
  expect(bare).toEqual(help);
  expect(bare).toMatchObject({ status: 0, out: expect.stringMatching(/^Usage: capstan/) as string });
});

it.each([
  ["describe cluster orchid", { kind: "cluster", name: "orchid", namespace: undefined }],
  ["describe md/workers -n team", { kind: "md", name: "workers", namespace: "team" }],
  [
    "describe linodemachines.infrastructure.cluster.x-k8s.io a",
    { kind: "linodemachines.infrastructure.cluster.x-k8s.io", name: "a" },
  ],
])("%s is read as it is meant", async (line, expected) => {
  const { ran, status, err } = await capstan(line);
  expect({ ran, status, err }).toMatchObject({ ran: [expected], status: 0, err: "" });
});

describe("the object store of this computer", () => {
  it("is reached and listens where it is said", async () => {
    const { ran } = await capstan("up --object-store-address https://s.example:8443 --object-store-listen [::]:8443");
    const objectStoreServer = { address: "https://s.example:8443", listen: { host: "::", port: 8443 } };
    expect(ran).toMatchObject([{ objectStoreServer }]);
  });

  it.each([
    ["--object-store-address ftp://s.example", "must be an address such as"],
    ["--object-store-address s.example:8443", "must be an address such as"],
    ["--object-store-address https://me:pw@s.example", "must be an address such as"],
    ["--object-store-listen 8443", "must be a host and a port"],
    ["--object-store-listen ::1:8443", "must be a host and a port"],
    ["--object-store-listen 0.0.0.0:70000", "must be a host and a port"],
  ])("is not %s", async (flags, words) => {
    const { ran, err } = await capstan(`up ${flags}`);
    expect(ran).toEqual([]);
    expect(err).toContain(words);
  });
});

describe("--seed", () => {
  it("names a file for each cloud", async () => {
    const { ran } = await capstan("up --seed linode=a.yaml --seed acme=b=c.yaml");
    expect(ran).toMatchObject([{ seeds: { linode: "a.yaml", acme: "b=c.yaml" } }]);
  });

  it("wants both", async () => {
    const { err, status } = await capstan("up --seed a.yaml");
    expect(err).toContain("must be CLOUD=FILE such as linode=account.yaml.");
    expect(status).not.toBe(0);
  });
});

it("options of up are read as they are meant", async () => {
  const { ran } = await capstan(
    "up -f a -f b --simulate linode --providers core,infra-linode,./x.ts,core --timeout 1h30m --bootstrap-timeout 5m --port 0",
  );
  expect(ran).toMatchObject([
    {
      files: ["a", "b"],
      simulate: ["linode"],
      timeoutMs: 5_400_000,
      port: 0,
      seeds: {},
      objectStores: ["azure-blob", "local", "s3"],
      bootstrapTimeoutMs: 300_000,
    },
  ]);
  expect(ran).toMatchObject([{ providers: ["core", "infra-linode", "./x.ts"] }]);
});

it.each<[string, object]>([
  ["restart machinedeployment/a", { action: "restart", name: "a", namespace: undefined, kubeconfig: undefined }],
  ["pause md/a -n prod", { action: "pause", name: "a", namespace: "prod" }],
  [
    "resume machinedeployments.cluster.x-k8s.io/a --data-dir d --context c",
    { action: "resume", name: "a", dataDir: "d", context: "c" },
  ],
  ["undo MD/a --to-revision 3 --kubeconfig k", { action: "undo", toRevision: 3, kubeconfig: "k" }],
  ["restart kcp a", { action: "restart", kind: "kubeadmcontrolplane", name: "a" }],
  ["undo md a", { action: "undo", kind: "machinedeployment", name: "a" }],
  ["undo md/a", { action: "undo", toRevision: undefined }],
  ["history md/a -o json", { action: "history", output: "json" }],
  ["status md/a", { action: "status", output: "text", watch: true, timeoutMs: 0 }],
  ["status md/a --no-watch --timeout 90s", { action: "status", watch: false, timeoutMs: 90_000 }],
])("rollout %s is read as it is meant", async (line, expected) => {
  const { ran, status, err } = await capstan(`rollout ${line}`);
  expect({ ran, status, err }).toMatchObject({ ran: [expected], status: 7, err: "" });
});
