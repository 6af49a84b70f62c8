-- A filter of pandoc: blocks of code in the largest size that fits the slide. In PPTX, where a theme of highlighting has no size, new lines are bold
-- and blue, old ones orange; titles and tables have a size that fits.
local styles = { ['+'] = { ' b="1"', '0072B2' }, ['-'] = { ' i="1"', 'B04A00' } }

local function escaped(text) return (text:gsub('&', '&amp;'):gsub('<', '&lt;'):gsub('>', '&gt;')) end

local function raw(xml) return pandoc.RawInline('openxml', xml) end

local function run(line, size)
    local style = styles[line:sub(1, 1)] or { '', '111111' }
    return '<a:r><a:rPr lang="en-US" sz="' .. size .. '00"' .. style[1] .. '><a:solidFill><a:srgbClr val="' .. style[2] ..
        '"/></a:solidFill><a:latin typeface="Courier New"/><a:cs typeface="Courier New"/></a:rPr><a:t>' .. escaped(line) .. '</a:t></a:r>'
end

-- A size for lines of this width and a slide of this height, in the same unit as both.
local function size_for(lines, columns, width, height, least, most)
    return math.max(least, math.min(most, math.floor(width / (0.61 * columns)), math.floor(height / (1.3 * #lines))))
end

function CodeBlock(block)
    local lines, columns = {}, 1
    for line in (block.text .. '\n'):gmatch('([^\n]*)\n') do
        table.insert(lines, line)
        columns = math.max(columns, #line)
    end
    if FORMAT ~= 'pptx' then
        block.attributes.style = 'font-size: ' .. size_for(lines, columns, 1130, 520, 20, 34) .. 'px'
        return block
    end
    local size = size_for(lines, columns, 620, 262, 13, 24)
    for i, line in ipairs(lines) do lines[i] = run(line, size) end
    return pandoc.Para({ raw(table.concat(lines, '<a:br/>')) })
end

-- A cell of a table, so that nine rows fit; the name of a stage may be broken after an underscore.
local function cell(text)
    local bold = #text.content == 1 and text.content[1].t == 'Strong' and ' b="1"' or ''
    return pandoc.Plain({ raw('<a:r><a:rPr lang="en-US" sz="1400"' .. bold .. '/><a:t>' .. escaped(pandoc.utils.stringify(text)):gsub('_', '_\u{200b}') .. '</a:t></a:r>') })
end

function Table(rows)
    if FORMAT ~= 'pptx' then return nil end
    return pandoc.walk_block(rows, { Plain = cell })
end

function Header(header)
    if FORMAT ~= 'pptx' then return nil end
    return pandoc.Header(header.level, { raw('<a:r><a:rPr lang="en-US" sz="2600"/><a:t>' .. escaped(pandoc.utils.stringify(header)) .. '</a:t></a:r>') })
end
