// The numbers of the report: unpacking them (tools/packed_numbers.hpp has the format), finding rows by time, thinning them out
// for a plot of some hundred pixels, and writing them for people.
'use strict';

const Numbers = {
  // {bits, count, data} -> Float64Array, Float32Array or Uint8Array.
  async unpack(packed) {
    const text = atob(packed.data);
    const deflated = new Uint8Array(text.length);
    for (let i = 0; i < text.length; ++i) deflated[i] = text.charCodeAt(i);
    const stream = new Blob([deflated]).stream().pipeThrough(new DecompressionStream('deflate'));
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    const count = packed.count, width = packed.bits / 8;
    if (bytes.length !== count * width) throw new Error('the packed numbers are damaged');
    // Each number is the one before it plus a difference, both as bit patterns; byte k of all differences lies together.
    if (width === 1) {
      for (let i = 1; i < count; ++i) bytes[i] += bytes[i - 1];
      return bytes;
    }
    const words = new Uint32Array(count * width / 4);
    let low = 0, high = 0;
    for (let i = 0; i < count; ++i) {
      const sum = low + (bytes[i] + bytes[count + i] * 0x100 + bytes[2 * count + i] * 0x10000 + bytes[3 * count + i] * 0x1000000);
      low = sum >>> 0;
      if (width === 4) {
        words[i] = low;
        continue;
      }
      const carry = sum > 0xFFFFFFFF ? 1 : 0;
      high = (high + bytes[4 * count + i] + bytes[5 * count + i] * 0x100 + bytes[6 * count + i] * 0x10000 + bytes[7 * count + i] * 0x1000000 + carry) >>> 0;
      words[2 * i] = low;
      words[2 * i + 1] = high;
    }
    return width === 4 ? new Float32Array(words.buffer) : new Float64Array(words.buffer);
  },

  // The last place in `times` at or before t; the first one where t is before all.
  placeAt(times, t) {
    let low = 0, high = times.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (times[middle] <= t) low = middle;
      else high = middle - 1;
    }
    return low;
  },

  // Rows for a plot from `from` to `to`: as they are where there are few, else for each of `columns` spans of time the extremes of every series,
  // so that no peak is lost. A row is [t, value of each series].
  rowsFor(times, series, from, to, columns) {
    let first = Math.max(0, Numbers.placeAt(times, from) - 1), last = Math.min(times.length - 1, Numbers.placeAt(times, to) + 2);
    const rows = [];
    const value = number => Number.isFinite(number) ? number : NaN;
    if (last - first + 1 <= 4 * columns) {
      for (let i = first; i <= last; ++i) rows.push([times[i], ...series.map(one => value(one[i]))]);
      return rows;
    }
    const count = last - first + 1;
    for (let k = 0; k < columns; ++k) {
      const begin = first + Math.floor(k * count / columns), end = first + Math.floor((k + 1) * count / columns);
      const middle = begin + ((end - begin) >> 1);
      const one = [times[begin]], two = [times[middle]];
      for (const values of series) {
        let low = begin, high = begin;
        for (let i = begin; i < end; ++i) {
          const v = values[i];
          if (v < values[low] || Number.isNaN(values[low])) low = i;
          if (v > values[high] || Number.isNaN(values[high])) high = i;
        }
        one.push(value(values[Math.min(low, high)]));
        two.push(value(values[Math.max(low, high)]));
      }
      rows.push(one, two);
    }
    rows.push([times[last], ...series.map(values => value(values[last]))]);
    return rows;
  },

  text(value, digits = 6) {
    if (!Number.isFinite(value)) return Number.isNaN(value) ? '–' : value > 0 ? '∞' : '−∞';
    const size = Math.abs(value);
    const written = size !== 0 && (size >= 1e6 || size < 1e-4) ? Number(value.toPrecision(digits)).toExponential() : String(Number(value.toPrecision(digits)));
    return written.replace('-', '−').replace(/e([+−-]?)/, (all, sign) => 'e' + (sign === '+' ? '' : sign.replace('-', '−')));
  },

  // Enough digits to tell the marks of an axis apart.
  digitsFor([low, high]) {
    const share = Math.max(Math.abs(low), Math.abs(high)) / (high - low);
    return Number.isFinite(share) ? Math.min(15, Math.max(4, 3 + Math.ceil(Math.log10(share)))) : 6;
  },

  // m/s2 as m/s², N.m as N·m.
  unit(text) {
    return text.replace(/2/g, '²').replace(/3/g, '³').replace(/\./g, '·');
  },
};
