import { parseArgs } from "node:util";
import { buildAssets, cacheFolder } from "./assets.ts";
import { goMissing } from "./go.ts";
import { updateAllPins } from "./pins.ts";
import { type TargetName, targets } from "./targets.ts";

const usage = `usage: npm run kube-assets -- [kube] [capi] [--only NAMES] [--print]

Builds programs of Kubernetes from Go modules, once, into a folder of the user's cache.

${Object.entries(targets)
  .map(
    ([name, { description, programs }]) =>
      `  ${name}   ${description}: ${programs.map((program) => program.name).join(", ")}`,
  )
  .join("\n")}

  --only NAMES   of these programs only, separated by commas
  --print        print the folder alone on standard output; nothing when it cannot be made
  --update-pins  write the go.mod and go.sum of every module anew, after a change of versions

Without a name: kube. KUBEBUILDER_ASSETS, when set, is taken for kube as it is.`;

const say = (line: string): void => console.error(`kube-assets: ${line}`);

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: "boolean", short: "h" },
    only: { type: "string" },
    print: { type: "boolean" },
    "update-pins": { type: "boolean" },
  },
});

const isTarget = (name: string): name is TargetName => Object.hasOwn(targets, name);

/** The folder with a target's programs; `undefined` when there is none and none can be made. */
const folderOf = async (name: TargetName): Promise<string | undefined> => {
  const given = process.env["KUBEBUILDER_ASSETS"] ?? "";
  if (name === "kube" && given !== "") {
    say(`KUBEBUILDER_ASSETS is set: ${given}`);
    return given;
  }
  const why = await goMissing();
  if (why !== undefined) {
    say(`${name} is skipped: ${why}`);
    return undefined;
  }
  const target = targets[name];
  const folder = cacheFolder(target);
  const only = values.only?.split(",");
  await buildAssets({ target, folder, say, ...(only === undefined ? {} : { only }) });
  return folder;
};

const main = async (): Promise<void> => {
  const unknown = positionals.find((name) => !isTarget(name));
  if (values.help === true || unknown !== undefined) {
    console.log(usage);
    process.exitCode = values.help === true ? 0 : 1;
    return;
  }
  if (values["update-pins"] === true) {
    await updateAllPins(say);
    return;
  }
  for (const name of positionals.length === 0 ? (["kube"] as const) : positionals.filter(isTarget)) {
    const folder = await folderOf(name);
    if (folder !== undefined) console.log(values.print === true ? folder : `${name}: ${folder}`);
  }
};

await main();
