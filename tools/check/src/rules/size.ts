import type { Rule } from "../repository.ts";

const maxLines = 400;

/** Names that say nothing about what is inside. */
const vague = /\/(utils?|helpers?|common|misc)\.ts$/;

/** Small files that say what they are. */
export const sizeRule: Rule = ({ packages }) =>
  packages
    .flatMap(({ files }) => files)
    .flatMap((file) => {
      const lines = file.text.replace(/\n$/, "").split("\n").length;
      return [
        ...(lines > maxLines && !/\/data\//.test(file.path)
          ? [{ rule: "size", where: file.path, message: `${lines} lines, more than ${maxLines}: split it by concern` }]
          : []),
        ...(vague.test(`/${file.path}`)
          ? [{ rule: "size", where: file.path, message: "the name says nothing; name it after what it holds" }]
          : []),
      ];
    });
