import { execFile, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Why the real cloud-init cannot run here, in one line; `undefined` when it can. */
export const unavailable = (): string | undefined => {
  if (process.platform !== "linux") return "it needs Linux";
  if (process.getuid?.() !== 0) return "it needs root, for mount and pid namespaces";
  if (existsSync(join(cacheFolder, "done"))) return undefined;
  if (spawnSync("debootstrap", ["--version"]).status !== 0) return "debootstrap is not installed";
  return undefined;
};

const cacheFolder = join(
  process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"),
  "capstan",
  "cloud-init-bookworm-tools",
);

/** Programs the bootstrap documents call; each only records how it was called. */
const recorders = ["kubeadm", "kubelet", "systemctl", "hostnamectl", "swapoff", "modprobe", "sysctl"] as const;

const cloudConfig = `datasource_list: [ NoCloud ]
network: {config: disabled}
cloud_init_modules: [bootcmd, write-files, users-groups]
cloud_config_modules: [runcmd]
cloud_final_modules: [scripts-user]
`;

/** Builds a Debian root with the real cloud-init once, in the user's cache folder. About a minute and a half. */
export const buildRoot = (): string => {
  const root = join(cacheFolder, "root");
  if (existsSync(join(cacheFolder, "done"))) return root;
  rmSync(cacheFolder, { recursive: true, force: true });
  mkdirSync(cacheFolder, { recursive: true });
  run("debootstrap", ["--variant=minbase", "bookworm", root]);
  // The root reaches the package archive the way this machine does.
  for (const path of ["etc/apt/apt.conf.d", "etc/resolv.conf", "etc/hosts"]) {
    if (existsSync(join("/", path))) cpSync(join("/", path), join(root, path), { recursive: true, dereference: true });
  }
  run("chroot", [
    root,
    "sh",
    "-c",
    "apt-get -o Acquire::Retries=5 update && apt-get -o Acquire::Retries=5 install -y --no-install-recommends cloud-init ca-certificates curl gettext-base gnupg jq procps",
  ]);
  writeFileSync(join(root, "etc/cloud/cloud.cfg.d/99-node.cfg"), cloudConfig);
  for (const program of recorders) {
    writeFileSync(join(root, "usr/local/bin", program), `#!/bin/sh\necho "${program} $*" >>/run/recorded-calls\n`, {
      mode: 0o755,
    });
  }
  writeFileSync(join(cacheFolder, "done"), "");
  return root;
};

const run = (program: string, args: readonly string[]): void => {
  const result = spawnSync(program, args, {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
  if (result.status === 0) return;
  throw new Error(`${program} failed:\n${result.stdout.slice(-2000)}${result.stderr.slice(-2000)}`);
};

/** What a machine holds after its first boot. */
export interface BootedMachine {
  /** Output of `cloud-init query userdata`. */
  readonly userdata: string;
  /** cloud-init's result.json. */
  readonly result: { readonly v1: { readonly datasource: string; readonly errors: readonly string[] } };
  /** What cloud-init's own schema says of the user-data. */
  readonly schema: string;
  /** One line per call of a recorded program. */
  readonly calls: readonly string[];
  /** The boot's log, for messages of failing tests. */
  readonly log: string;
  file(path: string): string | undefined;
}

/** What starts cloud-init on a machine whose image has it, and its data at hand. */
const stages = `#!/bin/sh
cloud-init init --local
cloud-init init
cloud-init modules --mode=config
cloud-init modules --mode=final
`;

const start = "/opt/start";

const bootScript = `
mount -t tmpfs tmpfs "$W/up"; mkdir "$W/up/upper" "$W/up/work"
mount -t overlay overlay -o lowerdir="$ROOT",upperdir="$W/up/upper",workdir="$W/up/work" "$W/root"
R=$W/root
mount -t tmpfs tmpfs "$R/run"; mount --rbind /dev "$R/dev"; mount -t proc proc "$R/proc"
mkdir -p "$R/var/lib/cloud/seed/nocloud"; cp "$W/user-data" "$W/meta-data" "$R/var/lib/cloud/seed/nocloud/"
cp /etc/hosts "$R/etc/hosts"
cp -a "$W/place/." "$R/"
chroot "$R" "$START" >"$W/log" 2>&1 || true
chroot "$R" cloud-init query userdata >"$W/out/userdata" 2>>"$W/log" || true
chroot "$R" cloud-init schema --system >"$W/out/schema" 2>&1 || true
cp "$R/run/cloud-init/result.json" "$W/out/result.json" 2>/dev/null || true
cp "$R/run/recorded-calls" "$W/out/calls" 2>/dev/null || true
mkdir -p "$W/out/files"
for file in $WANTED; do [ -e "$R$file" ] && { mkdir -p "$W/out/files$(dirname "$file")"; cp "$R$file" "$W/out/files$file"; }; done
true
`;

/**
 * Boots the real cloud-init over one user-data on a throw-away copy of the root, in mount and pid namespaces of its own. This process
 * continues meanwhile: it may be the one that serves what the user-data includes.
 */
export const bootMachine = async (input: {
  readonly root: string;
  /** Default: none. */
  readonly userData?: Uint8Array;
  /** Default: none. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** What runs instead of the stages of cloud-init, and with what variables. */
  readonly script?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** How long it may take. Default two minutes. */
  readonly timeoutMs?: number;
  /** Paths to bring out. */
  readonly files: readonly string[];
  /** Files that are there before, by path: programs where the mode says so. Default: none but the recorders. */
  readonly place?: Readonly<Record<string, { readonly content: string; readonly mode?: number }>>;
}): Promise<BootedMachine> => {
  const work = mkdtempSync(join(tmpdir(), "capstan-boot-"));
  try {
    for (const folder of ["up", "root", "out", "place"]) mkdirSync(join(work, folder));
    const started = { [start]: { content: input.script ?? stages, mode: 0o755 } };
    for (const [path, { content, mode = 0o644 }] of Object.entries({ ...started, ...input.place })) {
      mkdirSync(dirname(join(work, "place", path)), { recursive: true });
      writeFileSync(join(work, "place", path), content, { mode });
    }
    writeFileSync(join(work, "user-data"), input.userData ?? "");
    writeFileSync(
      join(work, "meta-data"),
      Object.entries(input.metadata ?? {})
        .map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
        .join(""),
    );
    const output = await new Promise<string>((resolve) => {
      const args = ["--mount", "--pid", "--fork", "--mount-proc", "bash", "-euc", bootScript];
      const own = { W: work, ROOT: input.root, START: start, WANTED: input.files.join(" ") };
      const env = { PATH: process.env["PATH"], ...input.environment, ...own };
      execFile(
        "unshare",
        args,
        { timeout: input.timeoutMs ?? 120_000, env, maxBuffer: 16 * 1024 * 1024 },
        (_, stdout, stderr) => resolve(`${stdout}${stderr}`),
      );
    });
    const read = (path: string): string | undefined => {
      const file = join(work, path);
      return existsSync(file) ? readFileSync(file, "utf8") : undefined;
    };
    const log = `${output}${read("log") ?? ""}`;
    const files = new Map(input.files.map((path) => [path, read(`out/files${path}`)]));
    return {
      userdata: read("out/userdata") ?? "",
      schema: read("out/schema") ?? "",
      result: JSON.parse(
        read("out/result.json") ?? '{"v1":{"datasource":"none","errors":["no result"]}}',
      ) as BootedMachine["result"],
      calls: (read("out/calls") ?? "").split("\n").filter((line) => line !== ""),
      log,
      file: (path) => files.get(path),
    };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
};
