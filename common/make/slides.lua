-- A filter of pandoc: blocks of code in the largest size that fits the slide; what follows a pause (". . ."), where
-- pandoc has none. In dzslides, whose steps are the children of a block, that is one block. In PPTX, each step is a
-- slide, where a theme of highlighting has no size, new lines are bold and blue, old ones orange, and the number of the
-- slide follows its title.
local styles = { ['+'] = { ' b="1"', '0072B2' }, ['-'] = { ' i="1"', 'B04A00' } }
local is_pptx, is_dz = FORMAT == 'pptx', FORMAT == 'dzslides'

local function escaped(text) return (text:gsub('&', '&amp;'):gsub('<', '&lt;'):gsub('>', '&gt;')) end

local function raw(xml) return pandoc.RawInline('openxml', xml) end

local function run(line, size, marked)
    local style = marked and styles[line:sub(1, 1)] or { '', '111111' }
    return '<a:r><a:rPr lang="en-US" sz="' .. size .. '00"' .. style[1] .. '><a:solidFill><a:srgbClr val="' .. style[2] ..
        '"/></a:solidFill><a:latin typeface="Courier New"/><a:cs typeface="Courier New"/></a:rPr><a:t>' .. escaped(line) .. '</a:t></a:r>'
end

-- The size of letters, from least to most, with which so many lines of a share of the size fit the height, and so many
-- columns the width.
local function size_for(height, lines, share, columns, width, least, most)
    return math.max(least, math.min(most, math.floor(width / (0.61 * columns)), math.floor(height / (share * lines))))
end

-- A line of code in HTML: new lines, old ones and comments are marked.
local function marked_line(line, classes)
    local mark = classes:includes('diff') and ({ ['+'] = 'va', ['-'] = 'st' })[line:sub(1, 1)]
    if mark then return '<span class="' .. mark .. '">' .. escaped(line) .. '</span>' end
    local before, comment = line:match('^(.-)(//.*)$')
    if not (comment and (classes:includes('cpp') or classes:includes('diff'))) then return escaped(line) end
    return escaped(before) .. '<span class="co">' .. escaped(comment) .. '</span>'
end

local function code(block)
    local lines, columns = {}, 1
    for line in (block.text .. '\n'):gmatch('([^\n]*)\n') do
        table.insert(lines, line)
        columns = math.max(columns, #line)
    end
    if not is_pptx then
        for i, line in ipairs(lines) do lines[i] = marked_line(line, block.classes) end
        return pandoc.RawBlock('html', '<pre class="' .. table.concat(block.classes, ' ') .. '" style="font-size: ' ..
            size_for(block.attributes.height or 520, #lines, 1.3, columns, 1130, 24, 34) .. 'px"><code>' .. table.concat(lines, '\n') .. '</code></pre>')
    end
    local size = size_for(262, #lines, 1.3, columns, 620, 13, 24)
    for i, line in ipairs(lines) do lines[i] = run(line, size, block.classes:includes('diff')) end
    return pandoc.Para({ raw(table.concat(lines, '<a:br/>')) })
end

-- The length of a bar of blocks, which `ladder slides` draws beside a rate; nil: another text.
local function bar_of(text) return text:find('^\u{2588}') and utf8.len(text) or nil end

-- A cell of a table. The name of a stage may be broken after an underscore, a size after an x.
local function cell(text, size)
    local bold = #text.content == 1 and text.content[1].t == 'Strong' and ' b="1"' or ''
    local bar = bar_of(pandoc.utils.stringify(text))
    if bar then return '<a:r><a:rPr lang="en-US" sz="1400"><a:solidFill><a:srgbClr val="' .. (bold ~= '' and '0072B2' or '808080') ..
        '"/></a:solidFill></a:rPr><a:t>' .. ('\u{2588}'):rep(math.max(1, math.floor(bar / 3))) .. '</a:t></a:r>' end
    local words = escaped(pandoc.utils.stringify(text)):gsub('_', '_\u{200b}'):gsub('(%dx)(%d)', '%1\u{200b}%2'):gsub('(%dx)(%d)', '%1\u{200b}%2')
    return '<a:r><a:rPr lang="en-US" sz="' .. size .. '00"' .. bold .. '/><a:t>' .. words .. '</a:t></a:r>'
end

-- The number of letters in each cell, by rows with that of the heads.
local function letters_in(rows)
    local plain = pandoc.utils.to_simple_table(rows)
    local counted = {}
    table.insert(plain.rows, 1, plain.headers)
    for r, row in ipairs(plain.rows) do
        counted[r] = {}
        for i, blocks in ipairs(row) do
            local text = pandoc.utils.stringify(blocks)
            local first = blocks[1] and blocks[1].content and blocks[1].content[1]
            local width = is_pptx and first and first.t == 'Strong' and 1.15 or 1   -- of a bold letter
            counted[r][i] = bar_of(text) and math.ceil(bar_of(text) * (is_pptx and 0.3 or 0.7)) or math.ceil(width * utf8.len(text))
        end
    end
    return counted
end

-- Whether a table fits a slide of 620 x 270 points, on which all columns have one width.
local function fits(counted, size)
    local height = 0
    for _, row in ipairs(counted) do
        local lines = 1
        for _, n in ipairs(row) do lines = math.max(lines, math.ceil((n + 1) * 0.62 * size / (620 / #row))) end
        height = height + lines * 1.2 * size + 8
    end
    return height <= 270
end

-- The most letters in a cell of each column, and two; and their sum.
local function columns_of(counted)
    local columns, sum = {}, 0
    for i in ipairs(counted[1]) do
        columns[i] = 2
        for _, row in ipairs(counted) do columns[i] = math.max(columns[i], row[i] + 2) end
        sum = sum + columns[i]
    end
    return columns, sum
end

-- A table of PowerPoint whose columns are as wide as their texts, on a page of pandoc's own style: pandoc 2 makes all
-- columns equal.
local function frame(rows, counted)
    local columns, letters = columns_of(counted)
    local size = size_for(270, #counted, 1.8, letters, 640, 11, 20)
    local plain, grid, lines = pandoc.utils.to_simple_table(rows), {}, {}
    for i, n in ipairs(columns) do grid[i] = '<a:gridCol w="' .. math.floor(n * math.min(0.61 * size, 640 / letters) * 12700) .. '"/>' end
    table.insert(plain.rows, 1, plain.headers)
    for r, row in ipairs(plain.rows) do
        local line = {}
        for i, blocks in ipairs(row) do
            local place = tostring(plain.aligns[i]) == 'AlignRight' and ' algn="r"' or ''
            line[i] = '<a:tc><a:txBody><a:bodyPr/><a:lstStyle/><a:p><a:pPr' .. place .. '/>' .. (blocks[1] and cell(blocks[1], size) or '') .. '</a:p></a:txBody><a:tcPr/></a:tc>'
        end
        lines[r] = '<a:tr h="' .. math.floor((1.2 * size + 8) * 12700) .. '">' .. table.concat(line) .. '</a:tr>'
    end
    return pandoc.RawBlock('openxml', '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="20" name="Table"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr>' ..
        '<p:xfrm><a:off x="457200" y="1295400"/><a:ext cx="8229600" cy="3000000"/></p:xfrm><a:graphic>' ..
        '<a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/table"><a:tbl><a:tblPr firstRow="1" bandRow="1">' ..
        '<a:tableStyleId>{5C22544A-7EE6-4342-B048-85BDC9FD1C3A}</a:tableStyleId></a:tblPr><a:tblGrid>' .. table.concat(grid) .. '</a:tblGrid>' ..
        table.concat(lines) .. '</a:tbl></a:graphicData></a:graphic></p:graphicFrame>')
end

-- A table in the largest size that fits.
local function cells(rows)
    local counted, size = letters_in(rows), 20
    local _, letters = columns_of(counted)
    if is_pptx and (os.getenv('SLIDES_TEMPLATE') or '') == '' then return frame(rows, counted) end
    if is_pptx then
        while size > 11 and not fits(counted, size) do size = size - 1 end
        return pandoc.walk_block(rows, { Plain = function(text) return pandoc.Plain({ raw(cell(text, size)) }) end })
    end
    local is_result = false
    rows = pandoc.walk_block(rows, { Str = function(text)
        local bar = bar_of(text.text)
        if not bar then return nil end
        is_result = true
        return pandoc.RawInline('html', '<span class="bar" style="width: ' .. bar * 0.42 .. 'em"></span>')
    end })
    if is_result then rows.attr.classes:insert('result') end
    rows.attr.attributes.style = 'font-size: ' .. size_for(460, #counted, 1.5, letters, 1130, 28, 42) .. 'px'
    return rows
end

-- The title of a slide with its number and, in smaller letters, a sentence.
local function title(header, number, sentence)
    if not is_pptx then return header end
    local below = sentence and '<a:br/><a:r><a:rPr lang="en-US" sz="1800"/><a:t>' .. escaped(sentence) .. '</a:t></a:r>' or ''
    return pandoc.Header(header.level, { raw('<a:r><a:rPr lang="en-US" sz="' .. (sentence and 2200 or 2600) .. '"/><a:t>' .. escaped(pandoc.utils.stringify(header)) .. '</a:t></a:r>' ..
        '<a:r><a:rPr lang="en-US" sz="1200"><a:solidFill><a:srgbClr val="595959"/></a:solidFill></a:rPr><a:t>\u{2003}' .. number .. '</a:t></a:r>' .. below) })
end

local function is_pause(block) return block.t == 'Para' and pandoc.utils.stringify(block) == '. . .' end
local function is_notes(block) return block.t == 'Div' and block.classes:includes('notes') end
local function html(text) return pandoc.RawBlock('html', text) end

local function is_frame(block) return block ~= nil and block.t == 'RawBlock' and block.text:find('^<p:graphicFrame') ~= nil end

-- Whether a block is a table or a picture.
local function is_box(block)
    local inside = block and block.content and block.content[1]
    return block and (block.t == 'Table' or block.t == 'Figure' or is_frame(block) or (inside and inside.t == 'Image')) or false
end
local function is_picture(block) return is_box(block) and block.t ~= 'Table' and not is_frame(block) end

-- For reveal.js, which has pauses of its own: pictures with pauses between them are shown in one place.
local function stacked(shown)
    local stack, i = {}, 1
    while i <= #shown do
        local last = i
        while is_picture(shown[last]) and last + 2 <= #shown and is_pause(shown[last + 1]) and is_picture(shown[last + 2]) do last = last + 2 end
        if last > i then
            table.insert(stack, html('<div class="over">'))
            for k = i, last, 2 do
                table.insert(stack, html(k > i and '<div class="fragment">' or '<div>'))
                table.insert(stack, shown[k])
                table.insert(stack, html('</div>'))
            end
            table.insert(stack, html('</div>'))
        else
            table.insert(stack, shown[i])
        end
        i = last + 1
    end
    return stack
end

-- Removes the sentence that ends a slide below a table or a picture, and returns it.
local function take_sentence(blocks)
    local last = #blocks
    while last > 0 and is_notes(blocks[last]) do last = last - 1 end
    if last < 2 or blocks[last].t ~= 'Para' or is_box(blocks[last]) or not is_box(blocks[last - 1]) then return nil end
    return pandoc.utils.stringify(table.remove(blocks, last))
end

-- Appends a slide: its title, and the blocks below it. PowerPoint's layouts have no place for text below a table.
local function append_slide(all, header, blocks, number)
    local shown, notes, steps, sentence = {}, {}, {}, is_pptx and take_sentence(blocks) or nil
    for _, block in ipairs(blocks) do
        if is_notes(block) then
            table.insert(notes, block)
        elseif is_pause(block) and (is_pptx or is_dz) then
            table.insert(steps, #shown)
        else
            -- PowerPoint's layouts have no place for text above or below a picture or a table.
            local last = shown[#shown]
            if is_pptx and (is_box(last) or (last and is_box(block))) and steps[#steps] ~= #shown then table.insert(steps, #shown) end
            table.insert(shown, block)
        end
    end
    if is_pptx then
        local from, before = 1, 0
        table.insert(steps, #shown)
        for k, step in ipairs(steps) do
            all:insert(title(header, number, k == #steps and sentence or nil))
            if is_box(shown[step]) or is_box(shown[before]) then from = before + 1 end
            for i = from, step do all:insert(shown[i]) end
            all:extend(notes)
            before = step
        end
        return
    end
    all:insert(header)
    if not is_dz then   -- what follows a pause is a fragment, whose notes reveal.js shows with it only
        all:extend(notes)
        shown, notes = stacked(shown), {}
    end
    -- A picture that follows a picture and a pause is shown in the place of that picture.
    local over = ''
    for k = #steps, 1, -1 do
        local s = steps[k]
        if is_picture(shown[s]) and is_picture(shown[s + 1]) then
            over = ' over'
            if steps[k - 1] ~= s - 1 then table.insert(steps, k, s - 1) end
        end
    end
    for i = 1, #shown do
        for k, step in ipairs(steps) do
            if step == i - 1 then all:insert(html((k > 1 and '</div>' or '<div class="incremental' .. over .. '">') .. '<div>')) end
        end
        all:insert(shown[i])
    end
    if #steps > 0 then all:insert(html('</div></div>')) end
    all:extend(notes)
end

-- PowerPoint's date is a tiny text in a corner: there, what was measured is a part of the subtitle.
local function subtitle(document)
    local meta = document.meta
    if not (is_pptx and meta.date and meta.author) then return end
    local author = meta.author
    if author.t ~= 'MetaInlines' and author[1] and not author[1].t then author = author[1] end
    meta.subtitle = pandoc.MetaInlines({ pandoc.Str(pandoc.utils.stringify(author) .. ' \u{00b7} ' .. pandoc.utils.stringify(meta.date)) })
    meta.author, meta.date = nil, nil
end

local function slides(document)
    local all, header, blocks, number = pandoc.List(), nil, {}, 1
    local function flush()
        if header then append_slide(all, header, blocks, number) else all:extend(blocks) end
    end
    for _, block in ipairs(document.blocks) do
        if block.t == 'Header' and block.level == 1 then
            flush()
            header, blocks, number = block, {}, number + 1
        else
            table.insert(blocks, block)
        end
    end
    flush()
    subtitle(document)
    document.blocks = all
    return document
end

-- Code has less height on a slide with a sentence below the title: 90 pixels are its two lines.
local function heights(document)
    local codes, sentence = {}, false
    local function finish()
        for _, block in ipairs(codes) do block.attributes.height = sentence and 430 or nil end
        codes, sentence = {}, false
    end
    for _, block in ipairs(document.blocks) do
        if block.t == 'Header' then finish() end
        if block.t == 'CodeBlock' then table.insert(codes, block) end
        if block.t == 'Para' and not is_pause(block) and pandoc.utils.stringify(block) ~= '' then sentence = true end
    end
    finish()
    return document
end

return { { Pandoc = heights }, { CodeBlock = code, Table = cells }, { Pandoc = slides } }
