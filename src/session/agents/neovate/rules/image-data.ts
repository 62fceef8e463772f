import { isImageData } from '../../../model/text/image-block.ts';
import { formatCounted } from '../../../model/text/numbers.ts';
import { isObject, type JsonObject, listObjects } from '../../../jsonl/edit/json.ts';
import type { Rule } from '../../../dialect/rule.ts';
import { getParts } from '../format.ts';
import { readImage } from '../entry/parts.ts';
import { checkMessages } from './message-lines.ts';
import { toUuidPlace } from '../../../rules/place.ts';

/** Images that no provider can read. */
export const imageData: Rule = {
  id: 'image-data',
  level: 'warning',
  fixable: false,
  summary: 'an image in a Neovate message whose data is not base64',
  help:
    'Images are data URLs, or bare base64. Providers refuse everything else, so no further prompt ' +
    'on this branch succeeds. Remove the image: `coppice compact --images drop`, or an editor.',
  check: (report) => ({
    line: checkMessages((message, line) => {
      const images = findImages(message).map(readImage);
      const broken = images.filter(({ data }) => !isImageData(data)).length;
      if (broken === 0) return;
      const what = broken === 1 ? 'an image' : formatCounted(broken, 'image');
      report(toUuidPlace(line, message), `holds ${what} whose data is not base64`);
    }),
  }),
};

/** Finds images that the user attached, and those that a tool returned. */
function findImages(message: JsonObject): readonly JsonObject[] {
  const parts = getParts(message);
  const given = parts.flatMap(({ result }) => {
    const content = isObject(result) ? result['llmContent'] : undefined;
    return listObjects(content);
  });
  return [...parts, ...given].filter(({ type }) => type === 'image');
}
