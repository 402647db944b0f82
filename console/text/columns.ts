// Columns and formats of a file.

export const texts = {
  columns: {
    title: 'Columns and formats',
    description: 'How simporter read the file. Nothing was sent: change what is wrong and read the file again.',
    link: 'Columns and formats',
    required: {
      title: 'What every number needs',
      filled: (filled: number, all: number) => `${filled} of ${all} filled`,
      byColumn: (header: string) => `Column "${header}"`,
      byValue: (value: string) => `"${value}" for all rows`,
      missing: 'Missing: choose the column below',
      neededFor: (what: string) => `For ${what}`,
      enter: 'or enter one value for all rows',
      enterOf: (column: string) => `Enter one value of ${column} for all rows`,
    },
    readAgain: 'Read the file again',
    replaces: 'The new plan replaces this one. Nothing is sent before you approve it.',
    failed: 'The file was not read again',
    place: {
      title: 'Where the numbers are',
      sheets: 'Sheets',
      oneFile: 'Several sheets with the same columns are read as one file.',
      choose: 'Choose the sheets',
      headerRow: 'Row of the header',
      show: 'Show',
    },
    table: {
      title: 'Columns',
      needed: 'Needed',
      filledBy: 'Filled by',
      inFile: 'In the file',
      values: 'First values',
      column: 'Is',
      own: 'My own column',
      empty: 'The file has no columns.',
      columnOf: (header: string) => `Column ${header}`,
      optionOf: {
        set: (option: string) => `Only ${option}`,
        block: (option: string) => `Only ${option}: yes blocks it`,
        allow: (option: string) => `Only ${option}: yes allows it`,
      },
      bars: { block: 'Bars that it blocks', allow: 'Bars that it allows' },
    },
    formats: {
      title: 'Formats',
      detected: 'As detected',
      visibleRowsOnly: 'Leave out hidden, filtered and struck-out rows',
      labels: { dateOrder: 'Order of dates', separator: 'Separator', encoding: 'Encoding' },
      choices: {
        dateOrder: { dmy: 'Day first: 31/12/2026', mdy: 'Month first: 12/31/2026', ymd: 'Year first: 2026/12/31' },
        separator: { ',': 'Comma', ';': 'Semicolon', '\t': 'Tab', '|': 'Vertical bar' },
        encoding: {
          'utf-8': 'UTF-8',
          'windows-1252': 'Windows-1252 (Western European)',
          'utf-16le': 'UTF-16, little endian',
          'utf-16be': 'UTF-16, big endian',
        },
      },
    },
  },
};
