import type { Finding, Rule } from "../repository.ts";

/** Packages with docstrings that still have to be reworded. Remove a package when it has none left; never add one. */
const unfinished = new Set(["apiserver"]);

const beginning = /\/\*\*\s+(?:\*\s+)?(What|Whether|How|Of)\s/g;
const advice =
  'begin with a noun phrase for data, with a verb such as "Returns" for a function, with "True if" for a flag';

/** Finds docstrings in `src` folders that begin as a question would, or with "Of". */
export const docstringsRule: Rule = ({ packages }) =>
  packages
    .filter(({ name }) => !unfinished.has(name))
    .flatMap(({ files }) => files)
    .filter(({ path }) => path.includes("/src/"))
    .flatMap(({ code, path, text }) =>
      [...text.matchAll(beginning)]
        // Comments are blanked in `code`; a string that looks like one is not.
        .filter(({ index }) => code.startsWith("   ", index))
        .map(({ index, 1: word }): Finding => ({
          rule: "docstrings",
          where: `${path}:${text.slice(0, index).split("\n").length}`,
          message: `the docstring begins with "${word}": ${advice}`,
        })),
    );
