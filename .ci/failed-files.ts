// Prints the test files that failed, a line each, out of a JSON report of Vitest; paths are relative to the current folder.
import { readFileSync } from "node:fs";
import { relative } from "node:path";

interface Report {
  readonly testResults: readonly { readonly name: string; readonly status: string }[];
}

const [path = ""] = process.argv.slice(2);
const { testResults } = JSON.parse(readFileSync(path, "utf8")) as Report;
for (const { name, status } of testResults) if (status === "failed") console.log(relative(process.cwd(), name));
