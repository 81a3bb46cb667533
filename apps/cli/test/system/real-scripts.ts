import { execFile } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isCompared, scriptEnvironment, type ScriptOutcome, scriptPath, shownFile } from "./script-world.ts";

/** Each script has a copy of the root of its own, which is laid over the root that all of them share. */
const runAll = `
for case in "$W"/cases/*; do
  name=$(basename "$case")
  up="$W/out/$name"
  mkdir -p "$up/upper" "$up/work" "$W/root"
  mount -t overlay overlay -o lowerdir="$ROOT",upperdir="$up/upper",workdir="$up/work" "$W/root"
  mount --rbind /dev "$W/root/dev"; mount -t proc proc "$W/root/proc"; mount -t tmpfs tmpfs "$W/root/tmp"
  cp "$case" "$W/root${scriptPath}"; chmod 755 "$W/root${scriptPath}"
  chroot "$W/root" timeout 30 bash -c "cd /; ${scriptPath}" >"$up/stdout" 2>"$up/stderr" </dev/null
  echo $? >"$up/status"
  umount -R "$W/root"
done
`;

/** Returns the files that a script has changed: the upper layer of its root over the root itself. */
const changes = (
  upper: string,
  root: string,
  users: ReadonlyMap<number, string>,
  groups: ReadonlyMap<number, string>,
) => {
  const found: [string, string][] = [];
  const visit = (folder: string): void => {
    for (const name of readdirSync(join(upper, folder)).toSorted()) {
      const path = join(folder, name);
      const stat = lstatSync(join(upper, path));
      const owner = `${users.get(stat.uid) ?? stat.uid}:${groups.get(stat.gid) ?? stat.gid}`;
      const before = existsSync(join(root, path)) ? lstatSync(join(root, path)) : undefined;
      if (stat.isDirectory()) {
        const isSame = before?.isDirectory() === true && before.mode === stat.mode;
        if (!isSame && isCompared(`${path}/`)) found.push([`${path}/`, `${(stat.mode & 0o7777).toString(8)} ${owner}`]);
        visit(path);
      } else if (!isCompared(path)) continue;
      else if (stat.isSymbolicLink()) found.push([path, `-> ${readlinkSync(join(upper, path))}`]);
      else if (stat.isCharacterDevice()) found.push([path, "removed"]);
      else found.push([path, shownFile({ mode: stat.mode, owner, bytes: readFileSync(join(upper, path)) })]);
    }
  };
  visit("/");
  return Object.fromEntries(found);
};

const names = (file: string): ReadonlyMap<number, string> =>
  new Map(
    readFileSync(file, "utf8")
      .split("\n")
      .map((line) => line.split(":"))
      .map(([name = "", , id]) => [Number(id), name]),
  );

/** Runs each script on a real Debian, in mount and pid namespaces of its own. Outcomes are by name. */
export const runScripts = async (
  root: string,
  scripts: readonly (readonly [name: string, text: string])[],
): Promise<Readonly<Record<string, ScriptOutcome>>> => {
  const work = mkdtempSync(join(tmpdir(), "capstan-scripts-"));
  try {
    for (const folder of ["cases", "out", "lower"]) mkdirSync(join(work, folder));
    for (const [name, text] of scripts) writeFileSync(join(work, "cases", name), text);
    // An overlay takes no other overlay's upper layer, which /tmp may be.
    const script = `set -e; mount -t tmpfs tmpfs "$W/out"; set +e\n${runAll}\nmkdir "$W/kept"; cp -a "$W/out/." "$W/kept"`;
    await new Promise<void>((resolve, reject) => {
      const args = ["--mount", "--pid", "--fork", "--mount-proc", "bash", "-uc", script];
      const env = { ...scriptEnvironment, W: work, ROOT: root };
      execFile("unshare", args, { timeout: 600_000, env }, (error, _, stderr) =>
        error === null ? resolve() : reject(new Error(stderr, { cause: error })),
      );
    });
    return Object.fromEntries(
      scripts.map(([name]) => {
        const left = join(work, "kept", name);
        const text = (file: string): string => readFileSync(join(left, file), "utf8");
        const upper = join(left, "upper");
        const accounts = (file: string): ReadonlyMap<number, string> =>
          names(existsSync(join(upper, file)) ? join(upper, file) : join(root, file));
        const files = changes(upper, root, accounts("etc/passwd"), accounts("etc/group"));
        return [name, { status: Number(text("status")), out: text("stdout"), err: text("stderr"), files }];
      }),
    );
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
};
